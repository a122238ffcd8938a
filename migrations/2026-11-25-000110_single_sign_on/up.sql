-- Whose account at the provider an identity is and how it was linked; when the provider vouched for a person's address.

ALTER TABLE user_identities
    ADD COLUMN id UUID NOT NULL DEFAULT gen_random_uuid(),
    -- Nobody can say how earlier ones were linked. By hand is the cautious answer: a reset link ends those.
    ADD COLUMN linked_by TEXT NOT NULL DEFAULT 'hand' CHECK (linked_by IN ('email', 'hand')),
    ADD COLUMN name TEXT,
    ADD COLUMN email TEXT;
CREATE UNIQUE INDEX user_identities_id ON user_identities (id);
COMMENT ON COLUMN user_identities.id IS 'UUID v7; of those linked earlier, a random one';
COMMENT ON COLUMN user_identities.linked_by IS 'email: at the first sign-on, by the verified address; hand: by the person, who had signed in';
COMMENT ON COLUMN user_identities.name IS 'The person''s name at the provider, as of the last sign-on';
COMMENT ON COLUMN user_identities.email IS 'The person''s address at the provider, verified or not, as of the last sign-on';

ALTER TABLE users ADD COLUMN email_verified_at TIMESTAMPTZ;
COMMENT ON COLUMN users.email_verified_at IS 'When the identity provider first vouched for the address; NULL: never';

COMMENT ON TABLE login_failures IS 'Failed logins of the last 15 minutes, and what of single sign-on is good once; may be lost at a crash';
COMMENT ON COLUMN login_failures.key IS 'SHA-256 of what is counted: an account at an address, an address or network, an account, the state of a sign-on, a logout token';
