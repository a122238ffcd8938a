-- Messages of a plan behind a position, which has no gaps, so that a page of them is a range.
SELECT m.position, m.message::text AS message
FROM (SELECT $1::uuid AS plan_id, $2::integer AS after, $3::integer AS count) k
CROSS JOIN LATERAL (
    SELECT a.position, a.message
    FROM ai_conversation_archive a
    WHERE a.plan_id = k.plan_id AND a.position > k.after AND a.position <= k.after + k.count
    UNION ALL
    SELECT (c.archived_count + n.position)::integer, n.message
    FROM ai_conversations c, jsonb_array_elements(c.messages) WITH ORDINALITY n (message, position)
    WHERE c.plan_id = k.plan_id
        AND c.archived_count + n.position > k.after AND c.archived_count + n.position <= k.after + k.count
) m
ORDER BY m.position
