DROP INDEX prompts_unfinished;
