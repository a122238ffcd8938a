ALTER TABLE prompts DROP COLUMN replaces;
