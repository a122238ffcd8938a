ALTER TABLE prompts DROP COLUMN spent_before, DROP COLUMN spent_on_earlier_days, DROP COLUMN started_at;
