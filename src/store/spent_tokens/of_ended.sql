-- What is known of turns whose process has gone: a token has about four bytes. The prompt's other parts are not known.
counted AS (
    INSERT INTO spent_tokens AS spent (user_id, day, tokens)
    SELECT
        e.user_id, (coalesce(e.started_at, e.created_at) AT TIME ZONE 'UTC')::date,
        sum(1 + (octet_length(e.input) + coalesce(octet_length(t.content), 0)) / 4)
    FROM ended e
    LEFT JOIN turn_progress t ON t.turn_id = e.id
    WHERE e.user_id IS NOT NULL
    GROUP BY 1, 2
    ON CONFLICT (user_id, day) DO UPDATE SET tokens = spent.tokens + excluded.tokens
)
