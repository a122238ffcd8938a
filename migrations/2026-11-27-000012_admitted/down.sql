ALTER TABLE user_limits DROP COLUMN is_admitted;
