DROP INDEX prompts_started_at;
