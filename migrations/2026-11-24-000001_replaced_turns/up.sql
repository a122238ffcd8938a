-- A turn may take the place of an earlier one: an edited message, or an answer asked for again.
ALTER TABLE prompts ADD COLUMN replaces uuid;
COMMENT ON COLUMN prompts.replaces IS 'The turn that was the newest of the conversation and whose place this one takes; NULL for a new message';
