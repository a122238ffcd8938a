-- Changes that one edit made can be undone together, and say what made their values count.

ALTER TABLE plan_changes
    ADD COLUMN group_id UUID,
    ADD COLUMN decided_by TEXT CHECK (decided_by IN ('plain', 'review', 'user')),
    DROP CONSTRAINT plan_changes_reason_check,
    ADD CONSTRAINT plan_changes_reason_check CHECK (reason IN ('entry', 'turn', 'accept', 'undo', 'reset', 'scenario'));
COMMENT ON COLUMN plan_changes.group_id IS 'Changes of one edit share it; the turn''s id where a turn made them. NULL in rows of releases that knew no groups';
COMMENT ON COLUMN plan_changes.decided_by IS 'What made the value count: plain words, the model''s second look, or the user. NULL in rows of older releases';
COMMENT ON COLUMN plan_changes.reason IS 'entry, turn, accept, undo, reset or scenario';
