DELETE FROM pending_actions
WHERE plan_id IN (
    SELECT a.plan_id
    FROM pending_actions a
    WHERE a.expires_at < now() - make_interval(days => $1)
    LIMIT $2
    FOR UPDATE SKIP LOCKED
)
