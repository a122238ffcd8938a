DROP TABLE left_corrections;
DROP TRIGGER users_keep_publisher_name ON users;
DROP FUNCTION keep_name_of_removed_publisher();
ALTER TABLE brand_versions DROP COLUMN publisher_name, DROP COLUMN published_by;
