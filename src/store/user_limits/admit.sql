WITH k AS (
    SELECT $1::uuid AS person, $2::uuid AS plan, $3::uuid AS turn, $4::integer AS per_minute, $5::integer AS most_running,
        $6::uuid AS instance, $7::integer AS streams, $8::integer AS most_streams
),
-- Concurrent claims of a user wait here for each other and then see the row as the one before has left it; other tables
-- they see as they were when the statement began. So all that counts is in the row.
counted AS (
    INSERT INTO user_limits AS l (user_id, turns_until, running, streams)
    SELECT person, now() + coalesce(interval '1 minute' / nullif(per_minute, 0), '0'),
        jsonb_build_object(plan, jsonb_build_array(turn, now())), jsonb_build_object(instance, streams)
    FROM k
    WHERE per_minute > 0 OR most_running > 0 OR most_streams > 0
    ON CONFLICT (user_id) DO UPDATE SET (turns_until, streams, running, is_admitted) = (
        SELECT CASE WHEN c.has_room THEN greatest(l.turns_until, now()) + (excluded.turns_until - now()) ELSE l.turns_until END,
            CASE WHEN c.has_room THEN l.streams || excluded.streams ELSE l.streams END,
            CASE WHEN c.has_room THEN excluded.running || c.running ELSE c.running END,
            c.has_room
        FROM (
            SELECT coalesce(jsonb_object_agg(r.key, r.value), '{}') AS running,
                count(*) < (SELECT coalesce(nullif(most_running, 0), 2147483647) FROM k) AS has_room
            FROM jsonb_each(l.running) r
            LEFT JOIN prompts t ON t.id = (r.value ->> 0)::uuid
            WHERE (t.state = 'running' AND t.lease_until > now()) IS TRUE
                -- Claimed since this statement began.
                OR (r.value ->> 1)::timestamptz > greatest(now() - interval '5 seconds', t.completed_at)
        ) c
    )
    WHERE greatest(l.turns_until, now()) + (excluded.turns_until - now()) < now() + interval '60.001 seconds'
        AND (SELECT k.most_streams = 0 OR k.most_streams >= k.streams + (
            SELECT coalesce(sum(s.value::integer), 0)
            FROM jsonb_each_text(l.streams) s
            JOIN instances i ON i.id = s.key::uuid
            WHERE i.id <> k.instance AND i.seen_at > now() - interval '30 seconds'
        ) FROM k)
    RETURNING l.user_id, l.is_admitted
),
admitted AS (
    SELECT user_id FROM counted WHERE is_admitted
    UNION ALL
    SELECT person FROM k WHERE per_minute = 0 AND most_running = 0 AND most_streams = 0
)
