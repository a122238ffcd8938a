-- A turn that is run again has cost what its earlier attempts cost too, each on the day that it was started.

ALTER TABLE prompts
    ADD COLUMN spent_before BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN spent_on_earlier_days BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN started_at TIMESTAMPTZ;
COMMENT ON COLUMN prompts.spent_before IS 'Tokens of the earlier attempts, which total_tokens does not include';
COMMENT ON COLUMN prompts.spent_on_earlier_days IS 'Of spent_before: tokens of attempts started before the day (UTC) on which the last one was started';
COMMENT ON COLUMN prompts.started_at IS 'Start of the last attempt, database clock; NULL for the first, which starts at created_at';
