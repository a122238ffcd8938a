DROP TABLE reviewer_checks;
