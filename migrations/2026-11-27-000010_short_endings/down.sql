COMMENT ON COLUMN prompts.ending IS 'The terminal event, for replay';
UPDATE prompts SET ending = ending || jsonb_build_object('fullResponse', output)
WHERE ending ->> 'type' = 'done' AND NOT ending ? 'fullResponse' AND output IS NOT NULL;
ALTER TABLE instances DROP COLUMN reads_short_ending;
