-- Behind an INSERT INTO ai_conversations AS c.
ON CONFLICT (plan_id) DO UPDATE
SET messages = c.messages || excluded.messages,
    total_tokens_used = c.total_tokens_used + excluded.total_tokens_used,
    updated_at = now()
RETURNING
    c.updated_at AS after,
    -- A statement does not see what it has written itself.
    (SELECT earlier.updated_at FROM ai_conversations earlier WHERE earlier.plan_id = c.plan_id) AS before,
    jsonb_array_length(c.messages) AS held,
    c.archived_count AS archived
