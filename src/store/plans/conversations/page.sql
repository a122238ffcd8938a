-- Some messages of a conversation, oldest first: the newest ones, or those before a message. One statement, so that a message
-- that is being archived is seen exactly once. Where there is none, one row with the totals.
WITH conversation AS MATERIALIZED (
    SELECT plan_id, total_tokens_used, archived_count, messages, jsonb_array_length(messages) AS held
    FROM ai_conversations
    WHERE plan_id = $1
),
page AS MATERIALIZED (
    SELECT
        CASE
            WHEN asked.before IS NULL THEN c.archived_count + c.held + 1
            ELSE coalesce(
                (
                    SELECT a.position
                    FROM ai_conversation_archive a
                    WHERE a.plan_id = c.plan_id AND a.message ->> 'id' = asked.before
                    LIMIT 1
                ),
                (
                    SELECT c.archived_count + m.position
                    FROM jsonb_array_elements(c.messages) WITH ORDINALITY m (message, position)
                    WHERE m.message ->> 'id' = asked.before
                    LIMIT 1
                )
            )
        END::integer AS behind,
        asked.count
    FROM conversation c, (SELECT $2::text AS before, $3::integer AS count) asked
)
SELECT c.total_tokens_used, c.archived_count + c.held AS total, m.position, m.message
FROM conversation c
CROSS JOIN page
LEFT JOIN LATERAL (
    SELECT a.position, a.message
    FROM ai_conversation_archive a
    WHERE a.plan_id = c.plan_id AND a.position >= page.behind - page.count AND a.position < page.behind
    UNION ALL
    SELECT (c.archived_count + n.position)::integer, n.message
    FROM jsonb_array_elements(c.messages) WITH ORDINALITY n (message, position)
    WHERE c.archived_count + n.position >= page.behind - page.count AND c.archived_count + n.position < page.behind
) m ON true
ORDER BY m.position
