INSERT INTO spent_tokens AS spent (user_id, day, tokens)
SELECT user_id, (coalesce(started_at, created_at) AT TIME ZONE 'UTC')::date, total_tokens
FROM prompts
WHERE id = $1::uuid AND user_id IS NOT NULL AND total_tokens > 0
ON CONFLICT (user_id, day) DO UPDATE SET tokens = spent.tokens + excluded.tokens
