ALTER TABLE users DROP CONSTRAINT users_active_plan_id_fkey;
DROP TABLE plan_scenarios, plans;
