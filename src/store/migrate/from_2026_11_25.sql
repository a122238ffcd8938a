-- From the schema of the release cbb8d9a to that of the migrations by topic. Runs in one transaction, while no server runs.

-- The answer of a turn is in prompts.output only; endings that have it, too, are read as they are.
ALTER TABLE instances DROP COLUMN reads_short_ending;
COMMENT ON COLUMN prompts.ending IS 'How the turn ended: its terminal event without fullResponse, which is in output; the first releases stored it here, too';

-- Rates as token buckets. Nothing is moved: what a minute allows is there again after a minute, and running turns are counted
-- in prompts.
DROP TABLE user_limits;
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

CREATE INDEX prompts_running_of_user ON prompts (user_id) WHERE state = 'running';

-- Spent tokens belong to the user instead of the turn. Only today's count.
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
INSERT INTO spent_tokens (user_id, day, tokens)
SELECT user_id, utc.day, sum(spent_before - spent_on_earlier_days + total_tokens)
FROM prompts, (SELECT (now() AT TIME ZONE 'UTC')::date AS day) utc
WHERE user_id IS NOT NULL AND (coalesce(started_at, created_at) AT TIME ZONE 'UTC')::date = utc.day
GROUP BY user_id, utc.day;
DROP INDEX prompts_started_at;
ALTER TABLE prompts DROP COLUMN spent_before, DROP COLUMN spent_on_earlier_days;
