-- The trigger that keeps the trail append-only must not see this.
ALTER TABLE plan_changes DISABLE TRIGGER plan_changes_append_only;
UPDATE plan_changes SET reason = 'entry' WHERE reason = 'scenario';
ALTER TABLE plan_changes ENABLE TRIGGER plan_changes_append_only;

ALTER TABLE plan_changes
    DROP CONSTRAINT plan_changes_reason_check,
    ADD CONSTRAINT plan_changes_reason_check CHECK (reason IN ('entry', 'turn', 'accept', 'undo', 'reset')),
    DROP COLUMN decided_by,
    DROP COLUMN group_id;
COMMENT ON COLUMN plan_changes.reason IS 'entry, turn, accept, undo or reset';
