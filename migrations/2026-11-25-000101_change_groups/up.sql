-- As `PlanChange::list_group` asks: without it every undo read all changes of the plan.
CREATE INDEX CONCURRENTLY IF NOT EXISTS plan_changes_group
    ON plan_changes (plan_id, (coalesce(group_id, CASE WHEN reason IN ('turn', 'reset') THEN turn_id END, id)));
