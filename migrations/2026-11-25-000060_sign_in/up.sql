-- Ways in: sessions, devices, single sign-on, invitations, one-time links, access tokens.

CREATE TABLE sessions (
    id BYTEA PRIMARY KEY,
    user_id UUID REFERENCES users (id) ON DELETE CASCADE,
    data JSONB NOT NULL CHECK (jsonb_typeof(data) = 'object'),
    expires_at TIMESTAMPTZ NOT NULL,
    oidc_sid TEXT
);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_oidc_sid ON sessions (oidc_sid) WHERE oidc_sid IS NOT NULL;
CREATE INDEX sessions_user_id ON sessions (user_id);
COMMENT ON TABLE sessions IS 'Logged-in browsers';
COMMENT ON COLUMN sessions.id IS 'SHA-256 of the cookie''s id: a leaked table opens nothing';
COMMENT ON COLUMN sessions.user_id IS 'Who is logged in, for sign-out everywhere';
COMMENT ON COLUMN sessions.data IS 'Session record';
COMMENT ON COLUMN sessions.expires_at IS 'End by inactivity';
COMMENT ON COLUMN sessions.oidc_sid IS 'The identity provider''s id of the session, for back-channel logout';

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
CREATE INDEX login_devices_expires_at ON login_devices (expires_at);
CREATE INDEX login_devices_user_id ON login_devices (user_id);
COMMENT ON TABLE login_devices IS 'Browsers from which a person has logged in';
COMMENT ON COLUMN login_devices.id IS 'SHA-256 of the cookie';
COMMENT ON COLUMN login_devices.user_id IS 'Who logged in';
COMMENT ON COLUMN login_devices.created_at IS 'First login from it';
COMMENT ON COLUMN login_devices.expires_at IS 'When it is forgotten';

CREATE TABLE user_identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX user_identities_user_id ON user_identities (user_id);
COMMENT ON TABLE user_identities IS 'Accounts at identity providers that people sign in with';
COMMENT ON COLUMN user_identities.issuer IS 'The provider''s issuer identifier, as its ID tokens have it';
COMMENT ON COLUMN user_identities.subject IS 'The person''s id at the provider';
COMMENT ON COLUMN user_identities.user_id IS 'Who signs in with it';
COMMENT ON COLUMN user_identities.created_at IS 'Database clock';

CREATE TABLE invitations (
    id UUID PRIMARY KEY,
    token_hash BYTEA NOT NULL UNIQUE,
    email TEXT NOT NULL CHECK (email = lower(email)),
    role TEXT NOT NULL CHECK (role IN ('franchisee', 'franchisor_admin', 'platform_admin')),
    brand_id UUID REFERENCES brands (id) ON DELETE CASCADE,
    invited_by UUID REFERENCES users (id) ON DELETE SET NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    expires_at TIMESTAMPTZ NOT NULL,
    accepted_at TIMESTAMPTZ,
    user_id UUID REFERENCES users (id) ON DELETE CASCADE,
    CHECK ((role <> 'franchisor_admin') OR (brand_id IS NOT NULL))
);
CREATE INDEX invitations_brand_id ON invitations (brand_id);
CREATE INDEX invitations_invited_by ON invitations (invited_by);
CREATE UNIQUE INDEX invitations_one_open_per_email ON invitations (email) WHERE accepted_at IS NULL;
CREATE INDEX invitations_user_id ON invitations (user_id);
COMMENT ON TABLE invitations IS 'People who may open an account; accepted ones stay, because a first sign-on by e-mail needs one';
COMMENT ON COLUMN invitations.id IS 'UUID v7';
COMMENT ON COLUMN invitations.token_hash IS 'SHA-256 of the token in the link';
COMMENT ON COLUMN invitations.email IS 'Lower case';
COMMENT ON COLUMN invitations.role IS 'Role of the account';
COMMENT ON COLUMN invitations.brand_id IS 'Brand of the account, if any';
COMMENT ON COLUMN invitations.invited_by IS 'Who invited them; NULL for the command line or a removed person';
COMMENT ON COLUMN invitations.created_at IS 'Database clock';
COMMENT ON COLUMN invitations.expires_at IS 'Database clock';
COMMENT ON COLUMN invitations.accepted_at IS 'When the account was opened; NULL before';
COMMENT ON COLUMN invitations.user_id IS 'The account';

CREATE TABLE password_resets (
    token_hash BYTEA PRIMARY KEY,
    user_id UUID NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    created_by UUID REFERENCES users (id) ON DELETE SET NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX password_resets_created_by ON password_resets (created_by);
COMMENT ON TABLE password_resets IS 'One-time links to choose a new password; deleted when used';
COMMENT ON COLUMN password_resets.token_hash IS 'SHA-256 of the token in the link';
COMMENT ON COLUMN password_resets.user_id IS 'Whose password; a new link replaces the one before';
COMMENT ON COLUMN password_resets.created_by IS 'Who issued it; NULL for the command line or a removed person';
COMMENT ON COLUMN password_resets.created_at IS 'Database clock';
COMMENT ON COLUMN password_resets.expires_at IS 'Database clock';

CREATE TABLE access_tokens (
    id UUID PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    hash BYTEA NOT NULL,
    scopes TEXT[] NOT NULL CHECK (scopes <@ ARRAY['read', 'chat', 'write']),
    plan_id UUID REFERENCES plans (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    last_used_on DATE,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX access_tokens_plan_id ON access_tokens (plan_id);
CREATE INDEX access_tokens_user_id ON access_tokens (user_id);
COMMENT ON TABLE access_tokens IS 'Keys for programs that act in a person''s name';
COMMENT ON COLUMN access_tokens.id IS 'UUID v7; part of the token';
COMMENT ON COLUMN access_tokens.user_id IS 'In whose name';
COMMENT ON COLUMN access_tokens.name IS 'Chosen by the person';
COMMENT ON COLUMN access_tokens.hash IS 'SHA-256 of the secret part';
COMMENT ON COLUMN access_tokens.scopes IS 'read, chat, write';
COMMENT ON COLUMN access_tokens.plan_id IS 'The only plan it opens; NULL for all of the person''s';
COMMENT ON COLUMN access_tokens.created_at IS 'Database clock';
COMMENT ON COLUMN access_tokens.last_used_on IS 'Day of the last use, UTC';
COMMENT ON COLUMN access_tokens.expires_at IS 'Database clock';
