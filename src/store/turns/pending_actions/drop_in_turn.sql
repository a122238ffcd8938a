-- Drops the action if the turn still holds its lease, and says whether it does. The turn's row is locked, so that nobody takes it
-- over in between.
WITH asked AS (
    SELECT $1::uuid AS turn, $2::bigint AS fence, $3::uuid AS action
),
held AS (
    SELECT p.plan_id, asked.action
    FROM prompts p
    JOIN asked ON asked.turn = p.id AND asked.fence = p.fence
    WHERE p.state = 'running'
    FOR NO KEY UPDATE OF p
),
dropped AS (
    DELETE FROM pending_actions a USING held WHERE a.plan_id = held.plan_id AND a.id = held.action
)
SELECT count(*) AS held FROM held
