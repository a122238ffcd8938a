CREATE INDEX CONCURRENTLY prompts_with_words ON prompts (created_at) WHERE input <> '' OR output <> '';
