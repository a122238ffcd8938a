WITH held AS MATERIALIZED (
    SELECT a.plan_id, a.position
    FROM ai_conversation_archive a
    JOIN ai_conversations c USING (plan_id)
    WHERE NOT a.message ? 'erased'
        AND (a.message ->> 'timestamp') COLLATE "C"
            < to_char((date_trunc('hour', now()) - make_interval(days => $1)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24')
    ORDER BY (a.message ->> 'timestamp') COLLATE "C"
    LIMIT $2
    FOR UPDATE OF a, c SKIP LOCKED
),
changed AS (
    -- A window of messages may reach into the archive; whoever has it in memory reads it again.
    UPDATE ai_conversations c SET updated_at = now()
    WHERE c.plan_id IN (SELECT plan_id FROM held)
)
UPDATE ai_conversation_archive a
SET message = erased_message(a.message)
FROM held
WHERE a.plan_id = held.plan_id AND a.position = held.position
