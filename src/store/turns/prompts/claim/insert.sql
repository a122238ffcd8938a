INSERT INTO prompts (
    id, plan_id, user_id, actor_id, model, state, input, idempotency_key, fingerprint, replaces, owner, lease_until
)
VALUES ($1, $2, $3, $4, $5, 'running', $6, $7, $8, $9, $10, now() + make_interval(secs => $11::bigint))
ON CONFLICT DO NOTHING
RETURNING fence
