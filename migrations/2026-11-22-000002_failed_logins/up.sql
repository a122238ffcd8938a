-- Counts in a process's memory forget at a restart and add up over instances; the last line of defence is here.

ALTER TABLE users
    ADD COLUMN failed_logins INTEGER NOT NULL DEFAULT 0 CHECK (failed_logins >= 0),
    ADD COLUMN failed_login_at TIMESTAMPTZ;
COMMENT ON COLUMN users.failed_logins IS 'Failed logins since the last good one; from 100 on one try in 15 minutes is looked at. 0 lets the person in again';
COMMENT ON COLUMN users.failed_login_at IS 'When the last try was counted';
