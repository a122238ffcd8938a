WITH life (life) AS (SELECT make_interval(secs => $1))
INSERT INTO login_failures AS f (key, failures) VALUES ($2, 1)
ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN f.since < now() - (SELECT life FROM life) THEN 1 ELSE f.failures + 1 END,
    since = CASE WHEN f.since < now() - (SELECT life FROM life) THEN now() ELSE f.since END
RETURNING failures, ceil(extract(epoch FROM since + (SELECT life FROM life) - now()))::bigint AS seconds_left
