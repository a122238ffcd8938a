DROP TABLE plan_scenarios;
