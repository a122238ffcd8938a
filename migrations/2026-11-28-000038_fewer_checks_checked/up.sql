ALTER TABLE prompts VALIDATE CONSTRAINT prompts_state_check;
