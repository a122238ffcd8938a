WITH asked (nth, key) AS (VALUES (1, $1::bytea), (2, $2), (3, $3), (4, $4)),
life (life) AS (SELECT make_interval(secs => $5)),
counted AS (
    INSERT INTO login_failures AS f (key, failures)
    SELECT key, 1 FROM asked ORDER BY nth
    ON CONFLICT (key) DO UPDATE SET
        failures = CASE WHEN f.since < now() - (SELECT life FROM life) THEN 1 ELSE f.failures + 1 END,
        since = CASE WHEN f.since < now() - (SELECT life FROM life) THEN now() ELSE f.since END
    RETURNING key, failures, since
)
SELECT max(failures) FILTER (WHERE nth = 1) AS here,
    max(failures) FILTER (WHERE nth = 2) AS network,
    max(failures) FILTER (WHERE nth = 3) AS account,
    max(failures) FILTER (WHERE nth = 4) AS region,
    ceil(extract(epoch FROM max(since) FILTER (WHERE nth < 3) + (SELECT life FROM life) - now()))::bigint AS seconds_left
FROM counted JOIN asked USING (key)
