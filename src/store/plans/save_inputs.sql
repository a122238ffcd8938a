UPDATE plans p
SET version = p.version + 1,
    updated_at = now(),
    financial_inputs = coalesce(p.financial_inputs, '{}') || (
        -- What a newer version wrote into a value stays; a value that is no object is replaced.
        SELECT coalesce(jsonb_object_agg(n.key, CASE jsonb_typeof(p.financial_inputs -> n.key)
            WHEN 'object' THEN (p.financial_inputs -> n.key) || n.value
            ELSE n.value
        END), '{}')
        FROM jsonb_each($1) n
    )
WHERE p.id = $2
RETURNING p.version, p.updated_at
