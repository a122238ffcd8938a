-- Failed logins are counted for all instances together, and devices that have logged in are not slowed down by failures elsewhere.

CREATE UNLOGGED TABLE login_failures (
    key BYTEA PRIMARY KEY,
    failures INTEGER NOT NULL,
    since TIMESTAMPTZ NOT NULL DEFAULT now()
);
COMMENT ON TABLE login_failures IS 'Failed logins of the last 15 minutes; may be lost at a crash';
COMMENT ON COLUMN login_failures.key IS 'SHA-256 of what is counted: an account at an address, an address or network, an account';
COMMENT ON COLUMN login_failures.failures IS 'Failures since then, and attempts that are still checked';
COMMENT ON COLUMN login_failures.since IS 'When counting began; after 15 minutes it begins anew';

CREATE TABLE login_devices (
    id BYTEA PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX login_devices_user_id ON login_devices (user_id);
CREATE INDEX login_devices_expires_at ON login_devices (expires_at);
COMMENT ON TABLE login_devices IS 'Browsers from which a person has logged in';
COMMENT ON COLUMN login_devices.id IS 'SHA-256 of the cookie';
COMMENT ON COLUMN login_devices.user_id IS 'Who logged in';
COMMENT ON COLUMN login_devices.created_at IS 'First login from it';
COMMENT ON COLUMN login_devices.expires_at IS 'When it is forgotten';
