CREATE INDEX CONCURRENTLY prompts_lease ON prompts (lease_until) WHERE state = 'running';
