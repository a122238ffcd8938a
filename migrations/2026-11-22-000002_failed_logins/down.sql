ALTER TABLE users DROP COLUMN failed_logins, DROP COLUMN failed_login_at;
