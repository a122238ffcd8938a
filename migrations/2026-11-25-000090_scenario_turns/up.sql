-- A scenario that a turn has saved goes with the turn when another one takes its place.

ALTER TABLE plan_scenarios ADD COLUMN turn_id UUID;
COMMENT ON COLUMN plan_scenarios.turn_id IS 'The turn that saved it; NULL if it was saved or changed by hand';
