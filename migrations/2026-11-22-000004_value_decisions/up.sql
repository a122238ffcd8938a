-- A value says by a code why it waits, who decided that it is written, and whether it was taken back. Older rows have none of it.

ALTER TABLE extractions
    ADD COLUMN note_code TEXT,
    ADD COLUMN decided_by TEXT,
    ADD COLUMN change_id UUID,
    ADD COLUMN undone_at TIMESTAMPTZ;
CREATE INDEX extractions_change_id ON extractions (change_id) WHERE change_id IS NOT NULL;
COMMENT ON COLUMN extractions.note_code IS 'Why the value waits or what it replaced: not_said, contradicted, far_off, unclear …; NULL where there is nothing to note';
COMMENT ON COLUMN extractions.decided_by IS 'plain (the grammar), review (the second look) or user; NULL while it waits';
COMMENT ON COLUMN extractions.change_id IS 'The row of plan_changes that wrote it; no foreign key, both are written in one round trip';
COMMENT ON COLUMN extractions.undone_at IS 'Database clock; when the change was taken back, NULL while it stands';
