DROP INDEX plan_changes_group;
