CREATE INDEX CONCURRENTLY prompts_created_at ON prompts (created_at, id);
