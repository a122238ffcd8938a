-- From the schema of the release cbb8d9a to that of the migrations by topic. Runs in one transaction, while no server runs.

-- The answer of a turn is in prompts.output only; endings that have it, too, are read as they are.
ALTER TABLE instances DROP COLUMN reads_short_ending;
COMMENT ON COLUMN prompts.ending IS 'How the turn ended: its terminal event without fullResponse, which is in output; the first releases stored it here, too';

-- Rates as token buckets. Nothing is moved: what a minute allows is there again after a minute.
DROP TABLE user_limits;
CREATE UNLOGGED TABLE rate_limits (
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    tokens DOUBLE PRECISION NOT NULL,
    refilled_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, kind)
) WITH (fillfactor = 50);
COMMENT ON TABLE rate_limits IS 'Token buckets: how often each user may do something, over all instances; may be lost at a crash';
COMMENT ON COLUMN rate_limits.user_id IS 'The user';
COMMENT ON COLUMN rate_limits.kind IS 'What is limited: turns or writes';
COMMENT ON COLUMN rate_limits.tokens IS 'How often it was still allowed at refilled_at; a full bucket is the limit per minute';
COMMENT ON COLUMN rate_limits.refilled_at IS 'When the bucket was last refilled; it is refilled evenly, by the limit each minute';

CREATE INDEX prompts_running_of_user ON prompts (user_id) WHERE state = 'running';
