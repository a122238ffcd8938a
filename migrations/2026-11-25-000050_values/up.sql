-- What was read from messages, and the audit of every change of a plan.

CREATE TABLE extractions (
    id UUID PRIMARY KEY,
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    turn_id UUID REFERENCES prompts (id) ON DELETE SET NULL,
    field TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('applied', 'unchanged', 'proposed', 'accepted', 'dismissed', 'invalid')),
    confidence TEXT NOT NULL CHECK (confidence IN ('high', 'tentative', 'uncertain')),
    value JSONB NOT NULL CHECK (jsonb_typeof(value) = 'number'),
    details JSONB NOT NULL CHECK (jsonb_typeof(details) = 'object'),
    evidence_start INTEGER,
    evidence_end INTEGER,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    settled_at TIMESTAMPTZ,
    settled_by UUID REFERENCES users (id) ON DELETE SET NULL,
    note_code TEXT,
    decided_by TEXT,
    change_id UUID,
    undone_at TIMESTAMPTZ,
    settled_by_name TEXT
);
CREATE INDEX extractions_change_id ON extractions (change_id) WHERE change_id IS NOT NULL;
CREATE INDEX extractions_open ON extractions (plan_id, field) WHERE status = 'proposed';
CREATE INDEX extractions_plan_id ON extractions (plan_id, created_at);
CREATE INDEX extractions_settled_by ON extractions (settled_by);
CREATE INDEX extractions_turn_id ON extractions (turn_id);
CREATE INDEX extractions_with_words ON extractions (created_at) WHERE (details ->> 'evidence') IS NOT NULL;
COMMENT ON TABLE extractions IS 'Values heard in a conversation and what became of them';
COMMENT ON COLUMN extractions.id IS 'UUID v7';
COMMENT ON COLUMN extractions.plan_id IS 'The plan';
COMMENT ON COLUMN extractions.turn_id IS 'The turn it was heard in; NULL if the turn was deleted for its age';
COMMENT ON COLUMN extractions.field IS 'Catalogue path';
COMMENT ON COLUMN extractions.status IS 'Current status; history shows it instead of the one stored with the message';
COMMENT ON COLUMN extractions.confidence IS 'After the evidence was weighed';
COMMENT ON COLUMN extractions.value IS 'In the field''s unit: cents, decimal, whole number';
COMMENT ON COLUMN extractions.details IS 'The extracted value as it was sent in done';
COMMENT ON COLUMN extractions.evidence_start IS 'Byte offset of the quote in the user''s message';
COMMENT ON COLUMN extractions.evidence_end IS 'End of the quote';
COMMENT ON COLUMN extractions.created_at IS 'Database clock';
COMMENT ON COLUMN extractions.settled_at IS 'When it was accepted, dismissed or overtaken';
COMMENT ON COLUMN extractions.settled_by IS 'Who settled it';
COMMENT ON COLUMN extractions.note_code IS 'Why the value waits or what it replaced: not_said, contradicted, far_off, unclear …; NULL where there is nothing to note';
COMMENT ON COLUMN extractions.decided_by IS 'plain (the grammar), review (the second look) or user; NULL while it waits';
COMMENT ON COLUMN extractions.change_id IS 'The row of plan_changes that wrote it; no foreign key, both are written in one round trip';
COMMENT ON COLUMN extractions.undone_at IS 'Database clock; when the change was taken back, NULL while it stands';
COMMENT ON COLUMN extractions.settled_by_name IS 'Name of a removed person who settled it';

CREATE TABLE plan_changes (
    id UUID PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY,
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    old_value JSONB,
    new_value JSONB NOT NULL,
    source TEXT NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('entry', 'turn', 'accept', 'undo', 'reset', 'scenario')),
    confidence TEXT,
    evidence TEXT,
    turn_id UUID REFERENCES prompts (id) ON DELETE SET NULL,
    actor_id UUID REFERENCES users (id) ON DELETE SET NULL,
    effective_user_id UUID REFERENCES users (id) ON DELETE SET NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    group_id UUID,
    decided_by TEXT CHECK (decided_by IN ('plain', 'review', 'user')),
    actor_name TEXT,
    effective_user_name TEXT
);
CREATE INDEX plan_changes_actor_id ON plan_changes (actor_id);
CREATE INDEX plan_changes_effective_user_id ON plan_changes (effective_user_id);
CREATE INDEX plan_changes_plan_id ON plan_changes (plan_id, seq);
CREATE INDEX plan_changes_turn_id ON plan_changes (turn_id);
CREATE INDEX plan_changes_with_words ON plan_changes (created_at) WHERE evidence IS NOT NULL;
COMMENT ON TABLE plan_changes IS 'Append-only audit of every plan value';
COMMENT ON COLUMN plan_changes.id IS 'UUID v7';
COMMENT ON COLUMN plan_changes.seq IS 'Order of the changes; time is for people only';
COMMENT ON COLUMN plan_changes.plan_id IS 'The plan';
COMMENT ON COLUMN plan_changes.field IS 'Catalogue path';
COMMENT ON COLUMN plan_changes.old_value IS 'Whole field value before, so that undo can restore it';
COMMENT ON COLUMN plan_changes.new_value IS 'Whole field value after';
COMMENT ON COLUMN plan_changes.source IS 'Source of the new value';
COMMENT ON COLUMN plan_changes.reason IS 'entry, turn, accept, undo, reset or scenario';
COMMENT ON COLUMN plan_changes.confidence IS 'Of the extraction, where it came from one';
COMMENT ON COLUMN plan_changes.evidence IS 'The user''s words, where it came from an extraction; NULL if they were erased';
COMMENT ON COLUMN plan_changes.turn_id IS 'The turn, where it came from one; NULL if the turn was deleted for its age';
COMMENT ON COLUMN plan_changes.actor_id IS 'Who did it; NULL if they were removed';
COMMENT ON COLUMN plan_changes.effective_user_id IS 'In whose name; NULL if they were removed';
COMMENT ON COLUMN plan_changes.created_at IS 'Database clock';
COMMENT ON COLUMN plan_changes.group_id IS 'Changes of one edit share it; the turn''s id where a turn made them. NULL in rows of releases that knew no groups';
COMMENT ON COLUMN plan_changes.decided_by IS 'What made the value count: plain words, the model''s second look, or the user. NULL in rows of older releases';
COMMENT ON COLUMN plan_changes.actor_name IS 'Name of a removed actor';
COMMENT ON COLUMN plan_changes.effective_user_name IS 'Name of a removed effective user';
