DROP TABLE plan_stories;
ALTER TABLE plans DROP COLUMN opening_month;
