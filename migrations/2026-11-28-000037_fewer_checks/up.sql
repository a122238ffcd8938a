-- PostgreSQL reads a table's CHECKs from text again in every statement that writes to it, which was a tenth of the work of a
-- turn. Those stay without which the program would misread a row; numbers that are only ever counted up need none.

ALTER TABLE prompts
    DROP CONSTRAINT prompts_state_check,
    DROP CONSTRAINT prompts_prompt_tokens_check,
    DROP CONSTRAINT prompts_completion_tokens_check,
    DROP CONSTRAINT prompts_total_tokens_check,
    DROP CONSTRAINT prompts_attempt_check,
    DROP CONSTRAINT prompts_idempotency_key_check,
    -- One constant is read faster than an array of five. The next migration checks it.
    ADD CONSTRAINT prompts_state_check
        CHECK (state = ANY ('{running,completed,failed,stopped,interrupted}'::text[])) NOT VALID;
ALTER TABLE ai_conversations
    DROP CONSTRAINT ai_conversations_archived_count_check,
    DROP CONSTRAINT ai_conversations_total_tokens_used_check;
ALTER TABLE user_limits
    DROP CONSTRAINT user_limits_running_check,
    DROP CONSTRAINT user_limits_streams_check;
