INSERT INTO ai_conversations AS conversation (plan_id, id, messages, total_tokens_used)
VALUES ($1, $2, $3, $4)
ON CONFLICT (plan_id) DO UPDATE
SET messages = conversation.messages || excluded.messages,
    total_tokens_used = conversation.total_tokens_used + excluded.total_tokens_used,
    updated_at = now()
RETURNING
    conversation.updated_at AS after,
    -- A statement does not see what it has written itself.
    (SELECT earlier.updated_at FROM ai_conversations earlier WHERE earlier.plan_id = conversation.plan_id) AS before,
    jsonb_array_length(conversation.messages) AS held,
    conversation.archived_count AS archived
