DROP INDEX audit_events_user_id;
