DELETE FROM prompts
WHERE id IN (
    SELECT p.id
    FROM prompts p
    CROSS JOIN (SELECT now() - make_interval(days => $1) AS until) k
    WHERE p.created_at < k.until
        AND coalesce(p.started_at, p.created_at) < k.until
        AND p.state <> 'running'
    ORDER BY p.created_at, p.id
    LIMIT $2
    OFFSET $3
    FOR UPDATE OF p SKIP LOCKED
)
