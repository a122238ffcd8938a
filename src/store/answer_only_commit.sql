WITH ended AS (
    UPDATE prompts
    SET state = $1, output = $2, ending = $3::jsonb - CASE WHEN old.are_alive THEN '' ELSE 'fullResponse' END, error_code = NULL, completed_at = now(),
        prompt_tokens = k.counts[1], completion_tokens = k.counts[2], total_tokens = k.counts[3],
        cached_prompt_tokens = k.counts[4], cache_write_tokens = k.counts[5], reasoning_tokens = k.counts[6],
        usage_estimated = k.estimated
    FROM plans p, users actor, users effective, (
        SELECT $4::bigint[] AS counts, $5::boolean AS estimated, $6::uuid AS turn, $7::bigint AS fence, $8::uuid AS plan,
            $9::bigint AS version, $10::bytea AS session
    ) k, (
        -- Releases that replay the ending as it is stored. Without them the text is in `output` only.
        SELECT EXISTS (
            SELECT FROM instances WHERE NOT reads_short_ending AND seen_at > now() - interval '30 seconds'
        ) AS are_alive
    ) old
    WHERE prompts.id = k.turn AND prompts.fence = k.fence AND prompts.state = 'running'
        AND prompts.plan_id = k.plan AND p.id = k.plan AND p.version = coalesce(k.version, p.version)
        AND actor.id = prompts.actor_id AND effective.id = prompts.user_id
        AND actor.disabled_at IS NULL AND effective.disabled_at IS NULL
        -- The rights as they are now, not as they were when the turn began.
        AND CASE
            WHEN k.session IS NULL THEN
                actor.id = effective.id
                AND (actor.role = 'platform_admin' OR actor.role = 'franchisee' AND p.user_id = actor.id)
            ELSE
                actor.role = 'platform_admin' AND effective.role = 'franchisee' AND p.user_id = effective.id
                AND EXISTS (
                    SELECT FROM sessions s
                    WHERE s.id = k.session AND s.user_id = actor.id AND s.expires_at > now()
                        AND s.data #>> '{impersonation,userId}' = effective.id::text
                        AND s.data #>> '{impersonation,terms,mode}' = 'edit'
                        AND (s.data #>> '{impersonation,terms,expiresAt}')::timestamptz > now()
                )
        END
    RETURNING prompts.plan_id, prompts.total_tokens
),
earlier AS (
    SELECT c.updated_at FROM ended JOIN ai_conversations c USING (plan_id)
)
INSERT INTO ai_conversations AS c (id, plan_id, messages, total_tokens_used)
SELECT $11, plan_id, $12, total_tokens FROM ended
