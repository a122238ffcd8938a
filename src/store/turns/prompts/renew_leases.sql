-- A row that somebody else holds is left out and not waited for: its lease is held nevertheless.
WITH asked AS (
    SELECT $1::uuid AS owner, $2::uuid[] AS turns, $3::bigint AS seconds
),
held AS MATERIALIZED (
    SELECT p.id, p.fence, asked.seconds
    FROM prompts p, asked
    WHERE p.id = ANY (asked.turns) AND p.owner = asked.owner AND p.state = 'running'
),
free AS MATERIALIZED (
    SELECT p.id, p.fence, held.seconds
    FROM prompts p
    JOIN held ON held.id = p.id AND held.fence = p.fence
    WHERE p.state = 'running'
    FOR NO KEY UPDATE OF p SKIP LOCKED
),
renewed AS (
    UPDATE prompts p
    SET lease_until = now() + make_interval(secs => free.seconds)
    FROM free
    WHERE p.id = free.id
    RETURNING p.id
)
SELECT held.id, held.fence, renewed.id IS NOT NULL AS is_renewed
FROM held
LEFT JOIN renewed ON renewed.id = held.id
