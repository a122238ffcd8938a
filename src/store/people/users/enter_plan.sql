-- Only while the turn that says so is running, and the plan is its owner's.
UPDATE users u
SET active_plan_id = p.id
FROM prompts t
JOIN plans p ON p.id = t.plan_id
JOIN (SELECT $1::uuid AS turn, $2::bigint AS fence) asked ON asked.turn = t.id AND asked.fence = t.fence
WHERE t.state = 'running' AND u.id = t.user_id AND u.id = p.user_id AND u.active_plan_id IS DISTINCT FROM p.id
