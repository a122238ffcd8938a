-- A part of a conversation without its messages: the newest ones, or those before one. Named by a position, by its id, or by
-- turn and role.
WITH asked AS (
    SELECT $1::uuid AS plan_id, $2::integer AS position, $3::text AS id, $4::text AS turn, $5::text AS role, $6::integer AS count
),
conversation AS MATERIALIZED (
    SELECT c.*, c.archived_count + jsonb_array_length(c.messages) AS total
    FROM ai_conversations c, asked
    WHERE c.plan_id = asked.plan_id
),
part AS MATERIALIZED (
    SELECT
        CASE
            WHEN asked.position IS NOT NULL THEN least(asked.position, c.total + 1)
            WHEN asked.id IS NULL AND asked.turn IS NULL THEN c.total + 1
            ELSE coalesce(
                (
                    SELECT a.position
                    FROM ai_conversation_archive a
                    WHERE a.plan_id = c.plan_id AND a.message ->> 'id' = asked.id
                    LIMIT 1
                ),
                (
                    SELECT c.archived_count + m.position
                    FROM jsonb_array_elements(c.messages) WITH ORDINALITY m (message, position)
                    WHERE m.message ->> 'id' = asked.id
                        OR m.message ->> 'turnId' = asked.turn AND m.message ->> 'role' = asked.role
                    LIMIT 1
                ),
                (
                    SELECT a.position
                    FROM ai_conversation_archive a
                    WHERE asked.turn IS NOT NULL AND a.plan_id = c.plan_id
                        AND a.message ->> 'turnId' = asked.turn AND a.message ->> 'role' = asked.role
                    LIMIT 1
                ),
                -- There is no such message.
                1
            )
        END::integer AS behind,
        asked.count
    FROM conversation c, asked
),
bounds AS (
    SELECT behind, greatest(behind - count, 1) AS first FROM part
)
SELECT
    c.total_tokens_used, c.total, c.updated_at, bounds.first, bounds.behind,
    coalesce(
        (
            SELECT a.message
            FROM ai_conversation_archive a
            WHERE a.plan_id = c.plan_id AND a.position = bounds.first
        ),
        c.messages -> (bounds.first - c.archived_count - 1)
    ) AS first_message,
    c.messages -> -1 ->> 'turnId' AS newest_turn,
    -- Messages, and what has become of their values: an undo of an undo changes the plan.
    md5(concat_ws(' ', c.id, c.updated_at, c.total, c.total_tokens_used, p.version, v.settled, v.settled_at, v.undone, v.undone_at,
        v.of_assistants))
        AS version
FROM conversation c
CROSS JOIN bounds
JOIN plans p ON p.id = c.plan_id
CROSS JOIN LATERAL (
    SELECT count(e.settled_at) AS settled, max(e.settled_at) AS settled_at, count(e.undone_at) AS undone, max(e.undone_at) AS undone_at,
        -- Values that assistants name without a message.
        count(*) FILTER (WHERE e.turn_id IS NULL) AS of_assistants
    FROM extractions e
    WHERE e.plan_id = c.plan_id
) v
