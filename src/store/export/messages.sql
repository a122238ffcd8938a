SELECT b.seq, b.messages::text AS messages, b.is_newest
FROM (SELECT $1::uuid AS plan_id, $2::integer AS first) k
CROSS JOIN LATERAL (
    SELECT s.seq, s.messages, false AS is_newest
    FROM ai_conversation_segments s
    WHERE s.plan_id = k.plan_id
    UNION ALL
    SELECT c.archived_count / 40, c.messages, true
    FROM ai_conversations c
    WHERE c.plan_id = k.plan_id
) b
WHERE b.seq >= k.first
ORDER BY b.seq
LIMIT $3
