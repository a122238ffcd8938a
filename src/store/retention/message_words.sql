WITH k AS MATERIALIZED (
    SELECT until, to_char(until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24') AS before
    FROM (SELECT date_trunc('hour', now()) - make_interval(days => $1) AS until) x
),
held AS MATERIALIZED (
    SELECT
        c.plan_id, c.messages AS old, erased_messages(c.messages, k.before) AS new,
        coalesce(oldest_words(c.messages, k.before), now()) AS words_from
    FROM ai_conversations c, k
    WHERE c.words_from < k.until
    ORDER BY c.words_from
    LIMIT $2
    OFFSET $3
    FOR UPDATE OF c SKIP LOCKED
)
UPDATE ai_conversations c
SET words_from = held.words_from,
    -- Where nothing was said so long ago, readers that know the conversation still know it.
    messages = CASE WHEN held.new = held.old THEN c.messages ELSE held.new END,
    updated_at = CASE WHEN held.new = held.old THEN c.updated_at ELSE now() END
FROM held
WHERE c.plan_id = held.plan_id
