-- What a person may use, for all instances together.

CREATE UNLOGGED TABLE user_limits (
    user_id UUID PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    turns_until TIMESTAMPTZ NOT NULL DEFAULT now(),
    writes_until TIMESTAMPTZ NOT NULL DEFAULT now(),
    running JSONB NOT NULL DEFAULT '{}',
    streams JSONB NOT NULL DEFAULT '{}',
    is_admitted BOOLEAN NOT NULL DEFAULT true
) WITH (fillfactor = 50);
COMMENT ON TABLE user_limits IS 'What each user has used of their limits, over all instances; may be lost at a crash';
COMMENT ON COLUMN user_limits.user_id IS 'The user';
COMMENT ON COLUMN user_limits.turns_until IS 'Turns are paid up to this time; each adds a minute divided by the limit';
COMMENT ON COLUMN user_limits.writes_until IS 'The same for writes';
COMMENT ON COLUMN user_limits.running IS 'Plan to turn and time of the claim; turns that have ended are left out by the next claim';
COMMENT ON COLUMN user_limits.streams IS 'Instance to its number of open streams';
COMMENT ON COLUMN user_limits.is_admitted IS 'Whether the last claim was within the limit of running turns; only that claim reads it';
