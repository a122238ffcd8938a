WITH k AS (
    SELECT $1::uuid AS person, $2::uuid AS instance, $3::integer AS streams, $4::integer AS most
)
INSERT INTO user_limits AS l (user_id, streams)
SELECT person, jsonb_build_object(instance, streams) FROM k
ON CONFLICT (user_id) DO UPDATE SET streams = l.streams || excluded.streams
WHERE (SELECT k.most >= k.streams + (
    SELECT coalesce(sum(s.value::integer), 0)
    FROM jsonb_each_text(l.streams) s
    JOIN instances i ON i.id = s.key::uuid
    WHERE i.id <> k.instance AND i.seen_at > now() - interval '30 seconds'
) FROM k)
