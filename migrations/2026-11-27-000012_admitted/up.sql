-- The claim that finds too many running turns says so here, so that it looks for them once.
ALTER TABLE user_limits ADD COLUMN is_admitted BOOLEAN NOT NULL DEFAULT true;
COMMENT ON COLUMN user_limits.is_admitted IS 'Whether the last claim was within the limit of running turns; only that claim reads it';
