-- A turn that is deleted for its age leaves the values and the audit of its plan behind.

ALTER TABLE extractions
    ALTER COLUMN turn_id DROP NOT NULL,
    DROP CONSTRAINT extractions_turn_id_fkey,
    ADD CONSTRAINT extractions_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES prompts (id) ON DELETE SET NULL NOT VALID;
COMMENT ON COLUMN extractions.turn_id IS 'The turn it was heard in; NULL if the turn was deleted for its age';
ALTER TABLE plan_changes
    DROP CONSTRAINT plan_changes_turn_id_fkey,
    ADD CONSTRAINT plan_changes_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES prompts (id) ON DELETE SET NULL NOT VALID;
COMMENT ON COLUMN plan_changes.turn_id IS 'The turn, where it came from one; NULL if the turn was deleted for its age';
