ALTER TABLE user_limits
    ADD CONSTRAINT user_limits_running_check CHECK (jsonb_typeof(running) = 'object') NOT VALID,
    ADD CONSTRAINT user_limits_streams_check CHECK (jsonb_typeof(streams) = 'object') NOT VALID;
ALTER TABLE ai_conversations
    ADD CONSTRAINT ai_conversations_archived_count_check CHECK (archived_count >= 0 AND archived_count % 40 = 0) NOT VALID,
    ADD CONSTRAINT ai_conversations_total_tokens_used_check CHECK (total_tokens_used >= 0) NOT VALID;
ALTER TABLE prompts
    DROP CONSTRAINT prompts_state_check,
    ADD CONSTRAINT prompts_state_check CHECK (state IN ('running', 'completed', 'failed', 'stopped', 'interrupted')) NOT VALID,
    ADD CONSTRAINT prompts_prompt_tokens_check CHECK (prompt_tokens >= 0) NOT VALID,
    ADD CONSTRAINT prompts_completion_tokens_check CHECK (completion_tokens >= 0) NOT VALID,
    ADD CONSTRAINT prompts_total_tokens_check CHECK (total_tokens >= 0) NOT VALID,
    ADD CONSTRAINT prompts_attempt_check CHECK (attempt > 0) NOT VALID,
    ADD CONSTRAINT prompts_idempotency_key_check CHECK (octet_length(idempotency_key) <= 255) NOT VALID;
