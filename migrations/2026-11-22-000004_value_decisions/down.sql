ALTER TABLE extractions DROP COLUMN note_code, DROP COLUMN decided_by, DROP COLUMN change_id, DROP COLUMN undone_at;
