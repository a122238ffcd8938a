ALTER TABLE plan_scenarios DROP COLUMN turn_id;
