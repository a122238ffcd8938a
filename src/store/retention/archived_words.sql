WITH k AS MATERIALIZED (
    SELECT until, to_char(until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24') AS before
    FROM (SELECT date_trunc('hour', now()) - make_interval(days => $1) AS until) x
),
held AS MATERIALIZED (
    SELECT
        s.plan_id, s.seq, s.messages AS old, erased_messages(s.messages, k.before) AS new,
        coalesce(oldest_words(s.messages, k.before), 'infinity') AS words_from
    FROM ai_conversation_segments s
    JOIN ai_conversations c USING (plan_id)
    CROSS JOIN k
    WHERE s.words_from < k.until
    ORDER BY s.words_from
    LIMIT $2
    FOR UPDATE OF s, c SKIP LOCKED
),
changed AS (
    -- A window of messages may reach into the archive; whoever has it in memory reads it again.
    UPDATE ai_conversations c SET updated_at = now()
    WHERE c.plan_id IN (SELECT plan_id FROM held WHERE new <> old)
)
UPDATE ai_conversation_segments s
SET words_from = held.words_from,
    messages = CASE WHEN held.new = held.old THEN s.messages ELSE held.new END
FROM held
WHERE s.plan_id = held.plan_id AND s.seq = held.seq
