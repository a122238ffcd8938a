WITH earlier AS (
    SELECT updated_at FROM ai_conversations WHERE plan_id = $1
)
INSERT INTO ai_conversations AS c (plan_id, id, messages, total_tokens_used)
VALUES ($2, $3, $4, $5)
