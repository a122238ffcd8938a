WITH k AS MATERIALIZED (
    -- For this transaction the trigger lets them go.
    SELECT set_config('plan_advisor.retention', 'audit_events', true), now() - make_interval(days => $1) AS until
)
DELETE FROM audit_events
WHERE id IN (
    SELECT e.id
    FROM audit_events e, k
    WHERE e.created_at < k.until
    ORDER BY e.created_at
    LIMIT $2
    OFFSET $3
    FOR UPDATE OF e SKIP LOCKED
)
