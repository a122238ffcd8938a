-- Moves all but the newest messages of a conversation to the archive, under the row's lock.
WITH hot AS MATERIALIZED (
    SELECT plan_id, archived_count, messages, jsonb_array_length(messages) - $1 AS surplus
    FROM ai_conversations
    WHERE plan_id = $2
    FOR UPDATE
),
moved AS (
    INSERT INTO ai_conversation_archive (plan_id, position, message)
    SELECT hot.plan_id, hot.archived_count + m.position, m.message
    FROM hot, jsonb_array_elements(hot.messages) WITH ORDINALITY m (message, position)
    WHERE m.position <= hot.surplus
)
UPDATE ai_conversations c
SET archived_count = hot.archived_count + hot.surplus,
    messages = jsonb_path_query_array(hot.messages, '$[$first to last]', jsonb_build_object('first', hot.surplus))
FROM hot
WHERE c.plan_id = hot.plan_id AND hot.surplus > 0
