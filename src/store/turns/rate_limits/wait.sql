SELECT ceil(1000 * (($1::double precision - tokens) / $2::double precision
    - extract(epoch FROM statement_timestamp() - refilled_at)::double precision))::bigint AS milliseconds
FROM rate_limits
WHERE user_id = $3::uuid AND kind = $4::text
