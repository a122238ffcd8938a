WITH k AS MATERIALIZED (
    SELECT
        to_char((date_trunc('hour', now()) - make_interval(days => $1::integer)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24') AS before,
        to_char((now() + interval '1 day') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24') AS future,
        $2::bigint AS count,
        $3::bigint AS skipped
),
-- Three ranges of one index: old ones, and those whose time is none or has not come, which are of unknown age.
due AS MATERIALIZED (
    SELECT * FROM (
        SELECT a.plan_id, a.position, a.message ->> 'timestamp' AS said_at
        FROM ai_conversation_archive a
        WHERE NOT a.message ? 'erased' AND (a.message ->> 'timestamp') COLLATE "C" < (SELECT before FROM k)
        ORDER BY (a.message ->> 'timestamp') COLLATE "C"
        LIMIT (SELECT count + skipped FROM k)
    ) old
    UNION ALL
    SELECT * FROM (
        SELECT a.plan_id, a.position, a.message ->> 'timestamp'
        FROM ai_conversation_archive a
        WHERE NOT a.message ? 'erased' AND (a.message ->> 'timestamp') COLLATE "C" > (SELECT future FROM k)
        LIMIT (SELECT count + skipped FROM k)
    ) wrong
    UNION ALL
    SELECT * FROM (
        SELECT a.plan_id, a.position, NULL
        FROM ai_conversation_archive a
        WHERE NOT a.message ? 'erased' AND (a.message ->> 'timestamp') COLLATE "C" IS NULL
        LIMIT (SELECT count + skipped FROM k)
    ) timeless
),
held AS MATERIALIZED (
    SELECT a.plan_id, a.position
    FROM due
    JOIN ai_conversation_archive a USING (plan_id, position)
    JOIN ai_conversations c USING (plan_id)
    ORDER BY due.said_at COLLATE "C", a.plan_id, a.position
    OFFSET (SELECT skipped FROM k)
    LIMIT (SELECT count FROM k)
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
