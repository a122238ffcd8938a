-- Every turn from its first moment, what was streamed of it, and the processes that run turns.

CREATE TABLE prompts (
    id UUID PRIMARY KEY,
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    user_id UUID REFERENCES users (id) ON DELETE SET NULL,
    actor_id UUID REFERENCES users (id) ON DELETE SET NULL,
    model TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state = ANY ('{running,completed,failed,stopped,interrupted}'::text[])),
    input TEXT NOT NULL,
    output TEXT COMPRESSION lz4,
    prompt_tokens BIGINT NOT NULL DEFAULT 0,
    completion_tokens BIGINT NOT NULL DEFAULT 0,
    total_tokens BIGINT NOT NULL DEFAULT 0,
    usage_estimated BOOLEAN NOT NULL DEFAULT false,
    ending JSONB COMPRESSION lz4,
    error_code TEXT,
    idempotency_key TEXT,
    fingerprint BYTEA,
    attempt INTEGER NOT NULL DEFAULT 1,
    fence BIGINT NOT NULL DEFAULT 1,
    owner UUID NOT NULL,
    lease_until TIMESTAMPTZ NOT NULL,
    cancel_requested BOOLEAN NOT NULL DEFAULT false,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    completed_at TIMESTAMPTZ,
    cached_prompt_tokens BIGINT,
    cache_write_tokens BIGINT,
    reasoning_tokens BIGINT,
    replaces UUID,
    spent_before BIGINT NOT NULL DEFAULT 0,
    spent_on_earlier_days BIGINT NOT NULL DEFAULT 0,
    started_at TIMESTAMPTZ,
    user_name TEXT,
    actor_name TEXT
) WITH (fillfactor = 90);
CREATE INDEX prompts_actor_id ON prompts (actor_id);
CREATE INDEX prompts_created_at ON prompts (created_at, id);
CREATE UNIQUE INDEX prompts_idempotency_key ON prompts (user_id, plan_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX prompts_one_running_per_plan ON prompts (plan_id) WHERE state = 'running';
CREATE INDEX prompts_plan_id ON prompts (plan_id, created_at);
CREATE INDEX prompts_started_at ON prompts (user_id, started_at) WHERE started_at IS NOT NULL;
CREATE INDEX prompts_unfinished ON prompts (state, created_at, id) WHERE state = ANY (ARRAY['failed', 'stopped', 'interrupted']);
CREATE INDEX prompts_unfinished_of_user ON prompts (user_id, state, created_at, id) WHERE state = ANY (ARRAY['failed', 'stopped', 'interrupted']);
CREATE INDEX prompts_user_id ON prompts (user_id, created_at);
CREATE INDEX prompts_with_words ON prompts (created_at) WHERE (input <> '') OR (output <> '');
COMMENT ON TABLE prompts IS 'Every turn from its first moment: the record that a crash cannot lose';
COMMENT ON COLUMN prompts.id IS 'The turn''s id, UUID v7';
COMMENT ON COLUMN prompts.plan_id IS 'The plan it is about';
COMMENT ON COLUMN prompts.user_id IS 'In whose name it was sent; NULL if they were removed';
COMMENT ON COLUMN prompts.actor_id IS 'Who sent it; differs from user_id under impersonation; NULL if they were removed';
COMMENT ON COLUMN prompts.model IS 'Model that answers, or "server" for a settled confirmation';
COMMENT ON COLUMN prompts.state IS 'running, completed, failed, stopped or interrupted';
COMMENT ON COLUMN prompts.input IS 'The user''s message; empty if it was erased';
COMMENT ON COLUMN prompts.output IS 'The whole answer of a finished turn, the text so far of one that ended otherwise; NULL after a crash; empty if it was erased';
COMMENT ON COLUMN prompts.prompt_tokens IS 'Provider''s count, or an estimate';
COMMENT ON COLUMN prompts.completion_tokens IS 'Provider''s count, or an estimate';
COMMENT ON COLUMN prompts.total_tokens IS 'Added to the conversation when the turn is stored';
COMMENT ON COLUMN prompts.usage_estimated IS 'True where the provider gave no count';
COMMENT ON COLUMN prompts.ending IS 'The terminal event, for replay; fullResponse is left out, because output has it';
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
COMMENT ON COLUMN prompts.cached_prompt_tokens IS 'Of prompt_tokens: read from the provider''s cache; NULL where the provider says nothing';
COMMENT ON COLUMN prompts.cache_write_tokens IS 'Of prompt_tokens: written to the provider''s cache; NULL where the provider says nothing';
COMMENT ON COLUMN prompts.reasoning_tokens IS 'Of completion_tokens: the model''s reasoning; NULL where the provider says nothing';
COMMENT ON COLUMN prompts.replaces IS 'The turn that was the newest of the conversation and whose place this one takes; NULL for a new message';
COMMENT ON COLUMN prompts.spent_before IS 'Tokens of the earlier attempts, which total_tokens does not include';
COMMENT ON COLUMN prompts.spent_on_earlier_days IS 'Of spent_before: tokens of attempts started before the day (UTC) on which the last one was started';
COMMENT ON COLUMN prompts.started_at IS 'Start of the last attempt, database clock; NULL for the first, which starts at created_at';
COMMENT ON COLUMN prompts.user_name IS 'Name of a removed user';
COMMENT ON COLUMN prompts.actor_name IS 'Name of a removed actor';

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
    seen_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    reads_short_ending BOOLEAN NOT NULL DEFAULT false
);
COMMENT ON TABLE instances IS 'Server processes that are alive';
COMMENT ON COLUMN instances.id IS 'Made at start';
COMMENT ON COLUMN instances.seen_at IS 'Database clock, refreshed every second';
COMMENT ON COLUMN instances.reads_short_ending IS 'False for releases that replay prompts.ending as it is stored';

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
CREATE INDEX pending_actions_turn_id ON pending_actions (turn_id);
CREATE INDEX pending_actions_user_id ON pending_actions (user_id);
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
