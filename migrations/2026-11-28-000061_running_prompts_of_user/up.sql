CREATE INDEX CONCURRENTLY prompts_running_of_user ON prompts (user_id) WHERE state = 'running';
