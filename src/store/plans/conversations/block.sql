-- Messages from a position to before another one, oldest first: at most so many, and no more than so many bytes unless the first
-- one has more. Their stored size leaves out most of those that are too many before they are decompressed: of 25 answers of 1 MiB
-- one is. One statement, so that a message that is being archived is seen exactly once.
WITH asked AS (
    SELECT k.plan_id, k.first, least(k.behind, k.first + k.count) AS behind, k.bytes
    FROM (SELECT $1::uuid AS plan_id, $2::integer AS first, $3::integer AS behind, $4::integer AS count, $5::bigint AS bytes) k
),
found AS (
    SELECT a.position, a.message
    FROM asked
    JOIN ai_conversation_archive a ON a.plan_id = asked.plan_id AND a.position >= asked.first AND a.position < asked.behind
    UNION ALL
    SELECT (c.archived_count + n.position)::integer, n.message
    FROM asked
    JOIN ai_conversations c ON c.plan_id = asked.plan_id AND c.archived_count + 1 < asked.behind
    CROSS JOIN LATERAL jsonb_array_elements(c.messages) WITH ORDINALITY n (message, position)
    WHERE c.archived_count + n.position >= asked.first AND c.archived_count + n.position < asked.behind
),
-- Materialized, so that each is decompressed once.
fitting AS MATERIALIZED (
    SELECT stored.position, stored.message::text AS message
    FROM asked, (SELECT f.*, sum(pg_column_size(f.message)) OVER (ORDER BY f.position) AS bytes FROM found f) stored
    WHERE stored.bytes <= asked.bytes OR stored.position = asked.first
)
SELECT sized.position, sized.message
FROM asked, (SELECT f.*, sum(octet_length(f.message)) OVER (ORDER BY f.position) AS bytes FROM fitting f) sized
WHERE sized.bytes <= asked.bytes OR sized.position = asked.first
ORDER BY sized.position
