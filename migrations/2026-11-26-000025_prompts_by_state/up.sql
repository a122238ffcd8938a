CREATE INDEX CONCURRENTLY prompts_unfinished ON prompts (state, created_at, id) WHERE state IN ('failed', 'stopped', 'interrupted');
