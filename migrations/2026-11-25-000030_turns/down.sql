DROP TABLE pending_actions, instances, turn_progress, prompts;
