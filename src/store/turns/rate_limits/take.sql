INSERT INTO rate_limits AS bucket (user_id, kind, tokens, refilled_at)
VALUES ($1::uuid, $2::text, $3::double precision, statement_timestamp())
-- `excluded.tokens` is a full bucket without what is taken. The time of the statement, because a transaction that began earlier
-- may come later.
ON CONFLICT (user_id, kind) DO UPDATE SET
    tokens = least(excluded.tokens, bucket.tokens - $4::double precision + $5::double precision
        * greatest(extract(epoch FROM excluded.refilled_at - bucket.refilled_at)::double precision, 0)),
    refilled_at = greatest(excluded.refilled_at, bucket.refilled_at)
WHERE bucket.tokens - $6::double precision + $7::double precision
    * greatest(extract(epoch FROM excluded.refilled_at - bucket.refilled_at)::double precision, 0) >= 0
