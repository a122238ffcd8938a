-- Stores a turn in one statement: its end, its messages, its tokens. No row comes back, and nothing is written, where the lease is
-- lost, the plan has moved on, or the rights have ended.
WITH ended AS (
    UPDATE prompts
    SET state = input.state, output = input.output, error_code = input.error_code, completed_at = now(), ending = input.ending,
        prompt_tokens = input.counts[1], completion_tokens = input.counts[2], total_tokens = input.counts[3],
        cached_prompt_tokens = input.counts[4], cache_write_tokens = input.counts[5], reasoning_tokens = input.counts[6],
        usage_estimated = input.estimated
    FROM plans p, users actor, (
        SELECT $1::text AS state, $2::text AS output, $3::text AS error_code, $4::jsonb AS ending, $5::bigint[] AS counts,
            $6::boolean AS estimated, $7::uuid AS turn, $8::bigint AS fence, $9::uuid AS plan, $10::bigint AS version,
            $11::bytea AS session,
            -- Before any row is locked: nobody else's turn waits for what this one waits for.
            set_config('lock_timeout', '100ms', true) AS lock_timeout
    ) input
    WHERE prompts.id = input.turn AND prompts.fence = input.fence AND prompts.state = 'running'
        AND prompts.plan_id = input.plan AND p.id = input.plan AND p.version = coalesce(input.version, p.version)
        AND actor.id = prompts.actor_id AND actor.disabled_at IS NULL
        -- The rights as they are now, not as they were when the turn began. CASE reads only those of this kind of sender.
        AND CASE
            WHEN input.session IS NULL THEN
                prompts.user_id = actor.id
                AND (actor.role = 'platform_admin' OR actor.role = 'franchisee' AND p.user_id = actor.id)
            ELSE
                actor.role = 'platform_admin' AND p.user_id = prompts.user_id
                AND EXISTS (
                    SELECT FROM users effective, sessions s
                    WHERE effective.id = prompts.user_id AND effective.role = 'franchisee' AND effective.disabled_at IS NULL
                        AND s.id = input.session AND s.user_id = actor.id AND s.expires_at > now()
                        AND s.data #>> '{impersonation,userId}' = effective.id::text
                        AND s.data #>> '{impersonation,terms,mode}' = 'edit'
                        AND (s.data #>> '{impersonation,terms,expiresAt}')::timestamptz > now()
                )
        END
    RETURNING prompts.plan_id, prompts.total_tokens, prompts.user_id,
        (coalesce(prompts.started_at, prompts.created_at) AT TIME ZONE 'UTC')::date AS day
),
spent AS (
    INSERT INTO spent_tokens AS spent (user_id, day, tokens)
    SELECT user_id, day, total_tokens FROM ended WHERE total_tokens > 0
    ON CONFLICT (user_id, day) DO UPDATE SET tokens = spent.tokens + excluded.tokens
)
INSERT INTO ai_conversations AS conversation (id, plan_id, messages, total_tokens_used)
SELECT $12, plan_id, $13, total_tokens FROM ended
ON CONFLICT (plan_id) DO UPDATE
SET messages = conversation.messages || excluded.messages,
    total_tokens_used = conversation.total_tokens_used + excluded.total_tokens_used,
    updated_at = now()
RETURNING
    conversation.updated_at AS after,
    -- A statement does not see what it has written itself.
    (SELECT earlier.updated_at FROM ai_conversations earlier WHERE earlier.plan_id = conversation.plan_id) AS before,
    jsonb_array_length(conversation.messages) AS held,
    conversation.archived_count AS archived
