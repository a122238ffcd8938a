-- Only of turns that are still this process's, and without waiting for a row that somebody else holds.
WITH mine AS (
    SELECT p.id, p.attempt, read.content
    FROM unnest($1::uuid[], $2::bigint[], $3::text[]) read (id, fence, content)
    JOIN prompts p ON p.id = read.id AND p.fence = read.fence
    WHERE p.state = 'running'
    FOR KEY SHARE OF p SKIP LOCKED
)
INSERT INTO turn_progress (turn_id, attempt, content)
SELECT id, attempt, content FROM mine
ON CONFLICT (turn_id) DO UPDATE SET attempt = excluded.attempt, content = excluded.content
