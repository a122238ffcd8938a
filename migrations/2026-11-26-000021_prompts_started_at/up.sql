CREATE INDEX CONCURRENTLY prompts_started_at ON prompts (user_id, started_at) WHERE started_at IS NOT NULL;
