-- The answer of a turn is in prompts.output; its ending no longer repeats it, unless an instance of an older release serves too.

ALTER TABLE instances ADD COLUMN reads_short_ending BOOLEAN NOT NULL DEFAULT false;
COMMENT ON COLUMN instances.reads_short_ending IS 'False for releases that replay prompts.ending as it is stored';
COMMENT ON COLUMN prompts.ending IS 'The terminal event, for replay; fullResponse is left out, because output has it';
