CREATE INDEX CONCURRENTLY audit_events_user_id ON audit_events ((detail ->> 'userId')) WHERE detail ->> 'userId' IS NOT NULL;
