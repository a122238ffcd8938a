DROP INDEX prompts_created_at;
