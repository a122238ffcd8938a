ALTER TABLE plan_changes
    DROP CONSTRAINT plan_changes_turn_id_fkey,
    ADD CONSTRAINT plan_changes_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES prompts (id) ON DELETE CASCADE;
DELETE FROM extractions WHERE turn_id IS NULL;
ALTER TABLE extractions
    ALTER COLUMN turn_id SET NOT NULL,
    DROP CONSTRAINT extractions_turn_id_fkey,
    ADD CONSTRAINT extractions_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES prompts (id) ON DELETE CASCADE;
