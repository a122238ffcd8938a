-- Rates as token buckets, one row per user and kind. Nothing is moved: what a minute allows is there again after a minute, and
-- running turns are counted in prompts.
-- A row is rewritten with every turn or write: room in the page keeps the updates off the index.
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

DROP TABLE user_limits;
