-- What a turn costs depends on what the provider read from its cache and on what the model reasoned; both are billed
-- otherwise than the rest. No CHECK: it would read the whole table under a lock, and the program never writes below 0.

ALTER TABLE prompts
    ADD COLUMN cached_prompt_tokens BIGINT,
    ADD COLUMN cache_write_tokens BIGINT,
    ADD COLUMN reasoning_tokens BIGINT;
COMMENT ON COLUMN prompts.cached_prompt_tokens IS 'Of prompt_tokens: read from the provider''s cache; NULL where the provider says nothing';
COMMENT ON COLUMN prompts.cache_write_tokens IS 'Of prompt_tokens: written to the provider''s cache; NULL where the provider says nothing';
COMMENT ON COLUMN prompts.reasoning_tokens IS 'Of completion_tokens: the model''s reasoning; NULL where the provider says nothing';
