-- Behind an INSERT INTO ai_conversations AS c; `earlier` holds the time of the change before.
ON CONFLICT (plan_id) DO UPDATE
SET messages = c.messages || excluded.messages,
    total_tokens_used = c.total_tokens_used + excluded.total_tokens_used,
    updated_at = now()
RETURNING
    c.updated_at AS after,
    (SELECT updated_at FROM earlier) AS before,
    jsonb_array_length(c.messages) AS held,
    c.archived_count AS archived
