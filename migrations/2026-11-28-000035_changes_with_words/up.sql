CREATE INDEX CONCURRENTLY plan_changes_with_words ON plan_changes (created_at) WHERE evidence IS NOT NULL;
