ALTER TABLE prompts DROP COLUMN cached_prompt_tokens, DROP COLUMN cache_write_tokens, DROP COLUMN reasoning_tokens;
