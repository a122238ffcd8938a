UPDATE ai_conversations c
SET messages = (
        SELECT coalesce(jsonb_agg(m.message ORDER BY m.position), '[]')
        FROM jsonb_array_elements(c.messages) WITH ORDINALITY m (message, position)
        WHERE m.message ->> 'turnId' IS DISTINCT FROM $1
    ),
    updated_at = now()
WHERE c.plan_id = $2
