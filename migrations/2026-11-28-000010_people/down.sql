DROP TABLE access_tokens;
DROP TABLE password_resets;
DROP TABLE invitations;
DROP TABLE user_identities;
ALTER TABLE sessions DROP COLUMN oidc_sid;
-- People without a password cannot be kept by the older schema's rule; an empty hash lets nobody in.
UPDATE users SET password_hash = '' WHERE password_hash IS NULL;
ALTER TABLE users ALTER COLUMN password_hash SET NOT NULL, DROP COLUMN disabled_at;
