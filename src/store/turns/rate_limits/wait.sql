SELECT ceil(1000 * (60 * (1 - tokens) / $1::integer
    - extract(epoch FROM statement_timestamp() - refilled_at)::double precision))::bigint AS milliseconds
FROM rate_limits
WHERE user_id = $2::uuid AND kind = $3::text
