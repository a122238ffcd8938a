-- What is known of turns whose process has gone: a token has about four bytes. The prompt's other parts are not known.
INSERT INTO spent_tokens AS spent (user_id, day, tokens)
SELECT
    p.user_id, (coalesce(p.started_at, p.created_at) AT TIME ZONE 'UTC')::date,
    sum(1 + (octet_length(p.input) + coalesce(octet_length(t.content), 0)) / 4)
FROM prompts p
LEFT JOIN turn_progress t ON t.turn_id = p.id
WHERE p.id = ANY ($1::uuid[]) AND p.user_id IS NOT NULL
GROUP BY 1, 2
ON CONFLICT (user_id, day) DO UPDATE SET tokens = spent.tokens + excluded.tokens
