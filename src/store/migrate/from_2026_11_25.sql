-- From the schema of the release cbb8d9a to that of the migrations by topic. Runs in one transaction, while no server runs.

-- The answer of a turn is in prompts.output only; endings that have it, too, are read as they are.
ALTER TABLE instances DROP COLUMN reads_short_ending;
COMMENT ON COLUMN prompts.ending IS 'How the turn ended: its terminal event without fullResponse, which is in output; the first releases stored it here, too';
