DROP TABLE plan_changes, extractions;
