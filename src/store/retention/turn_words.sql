UPDATE prompts
SET input = '', output = CASE WHEN output IS NOT NULL THEN '' END, ending = erased_ending(ending)
WHERE id IN (
    SELECT p.id
    FROM prompts p
    CROSS JOIN (SELECT date_trunc('hour', now()) - make_interval(days => $1) AS until) k
    WHERE (p.input <> '' OR p.output <> '')
        AND p.created_at < k.until
        AND coalesce(p.started_at, p.created_at) < k.until
        AND p.state <> 'running'
    ORDER BY p.created_at
    LIMIT $2
    OFFSET $3
    FOR UPDATE OF p SKIP LOCKED
)
