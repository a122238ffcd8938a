ALTER TABLE plans DROP COLUMN creation_key, DROP COLUMN creation_request;
