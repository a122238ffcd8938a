-- The whole story in thirteen tables: people, brands, plans, conversations, and everything that must survive a crash.

CREATE TABLE brands (
    id UUID PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    current_version INTEGER NOT NULL CHECK (current_version > 0),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
COMMENT ON TABLE brands IS 'Franchise brands';
COMMENT ON COLUMN brands.id IS 'UUID v7';
COMMENT ON COLUMN brands.slug IS 'Short unique name for people and URLs';
COMMENT ON COLUMN brands.name IS 'Display name of the current edition';
COMMENT ON COLUMN brands.current_version IS 'Edition that new plans start from';
COMMENT ON COLUMN brands.created_at IS 'Database clock';
COMMENT ON COLUMN brands.updated_at IS 'Database clock';

CREATE TABLE brand_versions (
    id UUID PRIMARY KEY,
    brand_id UUID NOT NULL REFERENCES brands (id) ON DELETE CASCADE,
    version INTEGER NOT NULL CHECK (version > 0),
    document JSONB COMPRESSION lz4 NOT NULL CHECK (jsonb_typeof(document) = 'object'),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    UNIQUE (brand_id, version)
);
COMMENT ON TABLE brand_versions IS 'Immutable editions of a brand''s document; a plan keeps the one it was made with';
COMMENT ON COLUMN brand_versions.id IS 'UUID v7';
COMMENT ON COLUMN brand_versions.brand_id IS 'The brand';
COMMENT ON COLUMN brand_versions.version IS '1, 2, 3 … within the brand';
COMMENT ON COLUMN brand_versions.document IS 'Parameters, startup cost template, thresholds, item 19 (cents, decimals)';
COMMENT ON COLUMN brand_versions.created_at IS 'Database clock';

CREATE TABLE users (
    id UUID PRIMARY KEY,
    email TEXT NOT NULL UNIQUE CHECK (email = lower(email)),
    display_name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('franchisee', 'franchisor_admin', 'platform_admin')),
    brand_id UUID REFERENCES brands (id) ON DELETE RESTRICT,
    password_hash TEXT NOT NULL,
    active_plan_id UUID,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    CHECK (role <> 'franchisor_admin' OR brand_id IS NOT NULL)
);
CREATE INDEX users_brand_id ON users (brand_id);
CREATE INDEX users_active_plan_id ON users (active_plan_id);
COMMENT ON TABLE users IS 'People who can log in';
COMMENT ON COLUMN users.id IS 'UUID v7';
COMMENT ON COLUMN users.email IS 'Lower case';
COMMENT ON COLUMN users.display_name IS 'How the advisor addresses them';
COMMENT ON COLUMN users.role IS 'franchisee, franchisor_admin or platform_admin';
COMMENT ON COLUMN users.brand_id IS 'The brand a franchisor_admin edits, or a franchisee belongs to';
COMMENT ON COLUMN users.password_hash IS 'argon2id in PHC form';
COMMENT ON COLUMN users.active_plan_id IS 'The plan whose conversation they were last in';
COMMENT ON COLUMN users.created_at IS 'Database clock';

CREATE TABLE plans (
    id UUID PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    brand_version_id UUID NOT NULL REFERENCES brand_versions (id) ON DELETE RESTRICT,
    name TEXT NOT NULL,
    version BIGINT NOT NULL DEFAULT 1 CHECK (version > 0),
    financial_inputs JSONB COMPRESSION lz4 CHECK (jsonb_typeof(financial_inputs) = 'object'),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX plans_user_id ON plans (user_id);
CREATE INDEX plans_brand_version_id ON plans (brand_version_id);
ALTER TABLE users ADD CONSTRAINT users_active_plan_id_fkey FOREIGN KEY (active_plan_id) REFERENCES plans (id) ON DELETE SET NULL;
COMMENT ON TABLE plans IS 'A franchisee''s business plan';
COMMENT ON COLUMN plans.id IS 'UUID v7';
COMMENT ON COLUMN plans.user_id IS 'The franchisee who owns it';
COMMENT ON COLUMN plans.brand_version_id IS 'Defaults and ranges it was made with';
COMMENT ON COLUMN plans.name IS 'Chosen by its owner';
COMMENT ON COLUMN plans.version IS 'Grows with every change of the inputs; the ETag';
COMMENT ON COLUMN plans.financial_inputs IS 'Path to field value; NULL until the first value';
COMMENT ON COLUMN plans.created_at IS 'Database clock';
COMMENT ON COLUMN plans.updated_at IS 'Database clock';

CREATE TABLE ai_conversations (
    id UUID PRIMARY KEY,
    plan_id UUID NOT NULL UNIQUE REFERENCES plans (id) ON DELETE CASCADE,
    messages JSONB COMPRESSION lz4 NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(messages) = 'array'),
    total_tokens_used BIGINT NOT NULL DEFAULT 0 CHECK (total_tokens_used >= 0),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
COMMENT ON TABLE ai_conversations IS 'One row per plan: the messages of its finished turns';
COMMENT ON COLUMN ai_conversations.id IS 'UUID v7';
COMMENT ON COLUMN ai_conversations.plan_id IS 'The plan; one conversation each';
COMMENT ON COLUMN ai_conversations.messages IS 'Array of {id, turnId, role, content, extractedValues, timestamp, stopped?}, appended in SQL';
COMMENT ON COLUMN ai_conversations.total_tokens_used IS 'Sum of the usage of all stored turns; survives clearing';
COMMENT ON COLUMN ai_conversations.created_at IS 'Database clock';
COMMENT ON COLUMN ai_conversations.updated_at IS 'Database clock';

CREATE TABLE prompts (
    id UUID PRIMARY KEY,
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    actor_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'completed', 'failed', 'stopped', 'interrupted')),
    input TEXT NOT NULL,
    output TEXT COMPRESSION lz4,
    prompt_tokens BIGINT NOT NULL DEFAULT 0 CHECK (prompt_tokens >= 0),
    completion_tokens BIGINT NOT NULL DEFAULT 0 CHECK (completion_tokens >= 0),
    total_tokens BIGINT NOT NULL DEFAULT 0 CHECK (total_tokens >= 0),
    usage_estimated BOOLEAN NOT NULL DEFAULT false,
    ending JSONB COMPRESSION lz4,
    error_code TEXT,
    idempotency_key TEXT CHECK (octet_length(idempotency_key) <= 255),
    fingerprint BYTEA,
    attempt INTEGER NOT NULL DEFAULT 1 CHECK (attempt > 0),
    fence BIGINT NOT NULL DEFAULT 1,
    owner UUID NOT NULL,
    lease_until TIMESTAMPTZ NOT NULL,
    cancel_requested BOOLEAN NOT NULL DEFAULT false,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    completed_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX prompts_one_running_per_plan ON prompts (plan_id) WHERE state = 'running';
CREATE UNIQUE INDEX prompts_idempotency_key ON prompts (user_id, plan_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX prompts_plan_id ON prompts (plan_id, created_at);
CREATE INDEX prompts_user_id ON prompts (user_id, created_at);
CREATE INDEX prompts_actor_id ON prompts (actor_id);
CREATE INDEX prompts_lease ON prompts (lease_until) WHERE state = 'running';
COMMENT ON TABLE prompts IS 'Every turn from its first moment: the record that a crash cannot lose';
COMMENT ON COLUMN prompts.id IS 'The turn''s id, UUID v7';
COMMENT ON COLUMN prompts.plan_id IS 'The plan it is about';
COMMENT ON COLUMN prompts.user_id IS 'In whose name it was sent';
COMMENT ON COLUMN prompts.actor_id IS 'Who sent it; differs from user_id under impersonation';
COMMENT ON COLUMN prompts.model IS 'Model that answers, or "server" for a settled confirmation';
COMMENT ON COLUMN prompts.state IS 'running, completed, failed, stopped or interrupted';
COMMENT ON COLUMN prompts.input IS 'The user''s message';
COMMENT ON COLUMN prompts.output IS 'The whole answer of a finished turn, the text so far of one that ended otherwise; NULL after a crash';
COMMENT ON COLUMN prompts.prompt_tokens IS 'Provider''s count, or an estimate';
COMMENT ON COLUMN prompts.completion_tokens IS 'Provider''s count, or an estimate';
COMMENT ON COLUMN prompts.total_tokens IS 'Added to the conversation when the turn is stored';
COMMENT ON COLUMN prompts.usage_estimated IS 'True where the provider gave no count';
COMMENT ON COLUMN prompts.ending IS 'The terminal event, for replay';
COMMENT ON COLUMN prompts.error_code IS 'Public code of a turn that failed';
COMMENT ON COLUMN prompts.idempotency_key IS 'From the request header; unique per user and plan';
COMMENT ON COLUMN prompts.fingerprint IS 'SHA-256 of the message, to tell a retry from a reuse of the key';
COMMENT ON COLUMN prompts.attempt IS 'Grows when a failed or interrupted turn is run again';
COMMENT ON COLUMN prompts.fence IS 'Only the holder of the newest fence may end the turn';
COMMENT ON COLUMN prompts.owner IS 'Instance that runs it';
COMMENT ON COLUMN prompts.lease_until IS 'Database clock; a running turn past it is an orphan';
COMMENT ON COLUMN prompts.cancel_requested IS 'Set by any instance; the owner polls it';
COMMENT ON COLUMN prompts.created_at IS 'Database clock';
COMMENT ON COLUMN prompts.completed_at IS 'Database clock';

CREATE UNLOGGED TABLE turn_progress (
    turn_id UUID PRIMARY KEY REFERENCES prompts (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    content TEXT COMPRESSION lz4 NOT NULL
);
COMMENT ON TABLE turn_progress IS 'Text so far of running turns, for readers on other instances; may be lost at a crash';
COMMENT ON COLUMN turn_progress.turn_id IS 'The running turn';
COMMENT ON COLUMN turn_progress.attempt IS 'The attempt the text belongs to';
COMMENT ON COLUMN turn_progress.content IS 'Answer text from its beginning';

CREATE UNLOGGED TABLE instances (
    id UUID PRIMARY KEY,
    seen_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
COMMENT ON TABLE instances IS 'Server processes that are alive';
COMMENT ON COLUMN instances.id IS 'Made at start';
COMMENT ON COLUMN instances.seen_at IS 'Database clock, refreshed every second';

CREATE TABLE extractions (
    id UUID PRIMARY KEY,
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    turn_id UUID NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('applied', 'unchanged', 'proposed', 'accepted', 'dismissed', 'invalid')),
    confidence TEXT NOT NULL CHECK (confidence IN ('high', 'tentative', 'uncertain')),
    value JSONB NOT NULL CHECK (jsonb_typeof(value) = 'number'),
    details JSONB NOT NULL CHECK (jsonb_typeof(details) = 'object'),
    evidence_start INTEGER,
    evidence_end INTEGER,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    settled_at TIMESTAMPTZ,
    settled_by UUID REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX extractions_plan_id ON extractions (plan_id, created_at);
CREATE INDEX extractions_turn_id ON extractions (turn_id);
CREATE INDEX extractions_settled_by ON extractions (settled_by);
CREATE INDEX extractions_open ON extractions (plan_id, field) WHERE status = 'proposed';
COMMENT ON TABLE extractions IS 'Values heard in a conversation and what became of them';
COMMENT ON COLUMN extractions.id IS 'UUID v7';
COMMENT ON COLUMN extractions.plan_id IS 'The plan';
COMMENT ON COLUMN extractions.turn_id IS 'The turn it was heard in';
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

CREATE TABLE plan_changes (
    id UUID PRIMARY KEY,
    seq BIGINT GENERATED ALWAYS AS IDENTITY,
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    old_value JSONB,
    new_value JSONB NOT NULL,
    source TEXT NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('entry', 'turn', 'accept', 'undo', 'reset')),
    confidence TEXT,
    evidence TEXT,
    turn_id UUID REFERENCES prompts (id) ON DELETE CASCADE,
    actor_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    effective_user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX plan_changes_plan_id ON plan_changes (plan_id, seq);
CREATE INDEX plan_changes_turn_id ON plan_changes (turn_id);
CREATE INDEX plan_changes_actor_id ON plan_changes (actor_id);
CREATE INDEX plan_changes_effective_user_id ON plan_changes (effective_user_id);
COMMENT ON TABLE plan_changes IS 'Append-only audit of every plan value';
COMMENT ON COLUMN plan_changes.id IS 'UUID v7';
COMMENT ON COLUMN plan_changes.seq IS 'Order of the changes; time is for people only';
COMMENT ON COLUMN plan_changes.plan_id IS 'The plan';
COMMENT ON COLUMN plan_changes.field IS 'Catalogue path';
COMMENT ON COLUMN plan_changes.old_value IS 'Whole field value before, so that undo can restore it';
COMMENT ON COLUMN plan_changes.new_value IS 'Whole field value after';
COMMENT ON COLUMN plan_changes.source IS 'Source of the new value';
COMMENT ON COLUMN plan_changes.reason IS 'entry, turn, accept, undo or reset';
COMMENT ON COLUMN plan_changes.confidence IS 'Of the extraction, where it came from one';
COMMENT ON COLUMN plan_changes.evidence IS 'The user''s words, where it came from an extraction';
COMMENT ON COLUMN plan_changes.turn_id IS 'The turn, where it came from one';
COMMENT ON COLUMN plan_changes.actor_id IS 'Who did it';
COMMENT ON COLUMN plan_changes.effective_user_id IS 'In whose name';
COMMENT ON COLUMN plan_changes.created_at IS 'Database clock';

CREATE TABLE pending_actions (
    plan_id UUID PRIMARY KEY REFERENCES plans (id) ON DELETE CASCADE,
    id UUID NOT NULL UNIQUE,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    turn_id UUID NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
    tool_name TEXT NOT NULL,
    arguments JSONB NOT NULL CHECK (jsonb_typeof(arguments) = 'object'),
    argument_hash BYTEA NOT NULL,
    prompt TEXT NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX pending_actions_user_id ON pending_actions (user_id);
CREATE INDEX pending_actions_turn_id ON pending_actions (turn_id);
COMMENT ON TABLE pending_actions IS 'The destructive action of a plan that waits for its yes';
COMMENT ON COLUMN pending_actions.plan_id IS 'One per plan';
COMMENT ON COLUMN pending_actions.id IS 'UUID v7; named by the answer';
COMMENT ON COLUMN pending_actions.user_id IS 'Only in this name can it be settled';
COMMENT ON COLUMN pending_actions.turn_id IS 'The turn that asked';
COMMENT ON COLUMN pending_actions.tool_name IS 'The destructive tool';
COMMENT ON COLUMN pending_actions.arguments IS 'Canonical arguments';
COMMENT ON COLUMN pending_actions.argument_hash IS 'SHA-256 of tool and arguments; checked before the action runs';
COMMENT ON COLUMN pending_actions.prompt IS 'Server-made question';
COMMENT ON COLUMN pending_actions.expires_at IS 'Database clock, 5 minutes after the question';

CREATE TABLE sessions (
    id BYTEA PRIMARY KEY,
    user_id UUID REFERENCES users (id) ON DELETE CASCADE,
    data JSONB NOT NULL CHECK (jsonb_typeof(data) = 'object'),
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_user_id ON sessions (user_id);
COMMENT ON TABLE sessions IS 'Logged-in browsers';
COMMENT ON COLUMN sessions.id IS 'SHA-256 of the cookie''s id: a leaked table opens nothing';
COMMENT ON COLUMN sessions.user_id IS 'Who is logged in, for sign-out everywhere';
COMMENT ON COLUMN sessions.data IS 'Session record';
COMMENT ON COLUMN sessions.expires_at IS 'End by inactivity';

CREATE TABLE audit_events (
    id UUID PRIMARY KEY,
    kind TEXT NOT NULL,
    actor_id UUID REFERENCES users (id) ON DELETE SET NULL,
    effective_user_id UUID REFERENCES users (id) ON DELETE SET NULL,
    plan_id UUID,
    turn_id UUID,
    detail JSONB NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(detail) = 'object'),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX audit_events_actor_id ON audit_events (actor_id);
CREATE INDEX audit_events_effective_user_id ON audit_events (effective_user_id);
CREATE INDEX audit_events_created_at ON audit_events (created_at);
COMMENT ON TABLE audit_events IS 'Append-only: logins, impersonations, confirmations, cleared conversations, edited brands';
COMMENT ON COLUMN audit_events.id IS 'UUID v7';
COMMENT ON COLUMN audit_events.kind IS 'What happened';
COMMENT ON COLUMN audit_events.actor_id IS 'Who did it';
COMMENT ON COLUMN audit_events.effective_user_id IS 'In whose name';
COMMENT ON COLUMN audit_events.plan_id IS 'The plan, if any; kept when the plan goes';
COMMENT ON COLUMN audit_events.turn_id IS 'The turn, if any';
COMMENT ON COLUMN audit_events.detail IS 'Particulars, never a message or a figure';
COMMENT ON COLUMN audit_events.created_at IS 'Database clock';

-- Audits are written once. Rows go only when the plan or person they belong to goes (cascades run at a deeper trigger level).
CREATE FUNCTION refuse_rewriting_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_trigger_depth() > 1 THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER plan_changes_append_only BEFORE UPDATE OR DELETE ON plan_changes
    FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_audit();
CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE ON audit_events
    FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_audit();
