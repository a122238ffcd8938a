CREATE INDEX CONCURRENTLY prompts_unfinished_of_user ON prompts (user_id, state, created_at, id) WHERE state IN ('failed', 'stopped', 'interrupted');
