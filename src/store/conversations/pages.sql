WITH RECURSIVE hot AS MATERIALIZED (
    SELECT plan_id, total_tokens_used, archived_count, jsonb_array_length(messages) AS held, messages
    FROM ai_conversations
    WHERE plan_id = $1
),
asked AS (
    SELECT $2::uuid AS before, $3::integer AS count
),
blocks AS (
    SELECT s.seq, s.messages FROM hot JOIN ai_conversation_segments s USING (plan_id)
    UNION ALL
    SELECT archived_count / 40, messages FROM hot
),
-- Ids grow with time, so a few blocks tell where a message is.
search (low, high) AS (
    SELECT 0, archived_count / 40 FROM hot CROSS JOIN asked WHERE before IS NOT NULL
    UNION ALL
    SELECT
        CASE WHEN is_earlier THEN low ELSE middle END,
        CASE WHEN is_earlier THEN middle - 1 ELSE high END
    FROM (
        SELECT
            low,
            high,
            middle,
            coalesce(before < (CASE
                WHEN middle = archived_count / 40 THEN hot.messages
                ELSE (SELECT s.messages FROM ai_conversation_segments s WHERE s.plan_id = hot.plan_id AND s.seq = middle)
            END -> 0 ->> 'id')::uuid, true) AS is_earlier
        FROM (SELECT low, high, (low + high + 1) / 2 AS middle FROM search WHERE low < high) next
        CROSS JOIN hot
        CROSS JOIN asked
    ) step
),
holding AS MATERIALIZED (
    SELECT coalesce(
        (
            SELECT b.seq
            FROM blocks b
            WHERE b.seq = (SELECT low FROM search WHERE low = high)
                AND b.messages @> jsonb_build_array(jsonb_build_object('id', before))
        ),
        -- Ids that came from clocks apart are not in order.
        (SELECT b.seq FROM blocks b WHERE b.messages @> jsonb_build_array(jsonb_build_object('id', before)) LIMIT 1)
    ) AS seq
    FROM asked
    WHERE before IS NOT NULL
),
wanted AS MATERIALIZED (
    SELECT
        CASE
            WHEN before IS NULL THEN least(archived_count, archived_count + held - count) / 40
            ELSE h.seq - (count + 39) / 40
        END AS first,
        CASE WHEN before IS NULL THEN archived_count / 40 ELSE h.seq END AS last
    FROM hot
    CROSS JOIN asked
    LEFT JOIN holding h ON true
)
SELECT hot.total_tokens_used, hot.archived_count + hot.held AS total, b.seq, b.messages
FROM hot
CROSS JOIN wanted
LEFT JOIN blocks b ON b.seq BETWEEN wanted.first AND wanted.last
ORDER BY b.seq
