WITH expected (people, brand) AS (SELECT $1::uuid[], $2::uuid),
first (at) AS (SELECT min(created_at) FROM users, expected WHERE id = ANY (people))
SELECT EXISTS (SELECT FROM users, expected, first WHERE id <> ALL (people) AND (at IS NULL OR created_at < at))
    OR EXISTS (SELECT FROM brands, expected, first WHERE id <> brand AND (at IS NULL OR created_at < at)) AS holds
