DELETE FROM pending_actions
WHERE plan_id IN (
    SELECT a.plan_id
    FROM pending_actions a
    WHERE a.expires_at < now() - make_interval(days => $1)
    ORDER BY a.expires_at
    LIMIT $2
    OFFSET $3
    FOR UPDATE SKIP LOCKED
)
