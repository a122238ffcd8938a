UPDATE extractions
SET details = details || '{"evidence": null}', evidence_start = NULL, evidence_end = NULL
WHERE id IN (
    SELECT e.id
    FROM extractions e
    WHERE e.details ->> 'evidence' IS NOT NULL
        AND e.created_at < date_trunc('hour', now()) - make_interval(days => $1)
    ORDER BY e.created_at
    LIMIT $2
    OFFSET $3
    FOR UPDATE SKIP LOCKED
)
