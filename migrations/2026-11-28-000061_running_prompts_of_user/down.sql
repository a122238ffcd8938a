DROP INDEX prompts_running_of_user;
