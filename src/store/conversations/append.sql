INSERT INTO ai_conversations AS c (plan_id, id, messages, total_tokens_used)
VALUES ($1, $2, $3, $4)
