SELECT
    coalesce((
        SELECT tokens FROM spent_tokens WHERE user_id = $1::uuid AND day = (now() AT TIME ZONE 'UTC')::date
    ), 0) AS tokens,
    ceil(extract(epoch FROM date_trunc('day', utc.now) + interval '1 day' - utc.now))::bigint AS seconds_left
FROM (SELECT now() AT TIME ZONE 'UTC' AS now) utc
