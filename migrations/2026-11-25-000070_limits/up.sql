-- What a person may use, for all instances together.

-- A row is rewritten with every turn or write: free space in the page keeps the updates off the index.
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

CREATE TABLE spent_tokens (
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    day DATE NOT NULL,
    tokens BIGINT NOT NULL,
    PRIMARY KEY (user_id, day)
) WITH (fillfactor = 50);
COMMENT ON TABLE spent_tokens IS 'Tokens that each user has spent; they stay spent when the turn or its plan is deleted';
COMMENT ON COLUMN spent_tokens.user_id IS 'In whose name the turns were sent';
COMMENT ON COLUMN spent_tokens.day IS 'On which the attempt was started, UTC';
COMMENT ON COLUMN spent_tokens.tokens IS 'Of all attempts that were started on the day and have ended';
