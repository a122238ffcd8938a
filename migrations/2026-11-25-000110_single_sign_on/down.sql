COMMENT ON COLUMN login_failures.key IS 'SHA-256 of what is counted: an account at an address, an address or network, an account';
COMMENT ON TABLE login_failures IS 'Failed logins of the last 15 minutes; may be lost at a crash';
ALTER TABLE users DROP COLUMN email_verified_at;
ALTER TABLE user_identities DROP COLUMN id, DROP COLUMN linked_by, DROP COLUMN name, DROP COLUMN email;
