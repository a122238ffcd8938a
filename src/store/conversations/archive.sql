WITH hot AS MATERIALIZED (
    SELECT plan_id, archived_count, messages, (jsonb_array_length(messages) - $1) / 40 AS blocks
    FROM ai_conversations
    WHERE plan_id = $2
    FOR UPDATE
),
moved AS (
    INSERT INTO ai_conversation_segments (plan_id, seq, messages)
    SELECT
        plan_id,
        archived_count / 40 + n,
        jsonb_path_query_array(messages, '$[$first to $last]', jsonb_build_object('first', n * 40, 'last', n * 40 + 39))
    FROM hot, generate_series(0, blocks - 1) n
)
UPDATE ai_conversations c
SET archived_count = hot.archived_count + hot.blocks * 40,
    messages = jsonb_path_query_array(hot.messages, '$[$first to last]', jsonb_build_object('first', hot.blocks * 40))
FROM hot
WHERE c.plan_id = hot.plan_id AND hot.blocks > 0
