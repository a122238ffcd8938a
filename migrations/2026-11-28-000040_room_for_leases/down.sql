ALTER TABLE prompts RESET (fillfactor);
