WITH ended AS (
    UPDATE prompts
    SET state = k.state, output = k.output, error_code = NULL, completed_at = now(),
        ending = CASE
            -- Releases that replay the ending as it is stored. Without them the text is in `output` only.
            WHEN EXISTS (SELECT FROM instances WHERE NOT reads_short_ending AND seen_at > now() - interval '30 seconds')
                THEN k.ending || jsonb_build_object('fullResponse', k.output)
            ELSE k.ending
        END,
        prompt_tokens = k.counts[1], completion_tokens = k.counts[2], total_tokens = k.counts[3],
        cached_prompt_tokens = k.counts[4], cache_write_tokens = k.counts[5], reasoning_tokens = k.counts[6],
        usage_estimated = k.estimated
    FROM plans p, users actor, (
        SELECT $1::text AS state, $2::text AS output, $3::jsonb AS ending, $4::bigint[] AS counts, $5::boolean AS estimated,
            $6::uuid AS turn, $7::bigint AS fence, $8::uuid AS plan, $9::bigint AS version, $10::bytea AS session
    ) k
    WHERE prompts.id = k.turn AND prompts.fence = k.fence AND prompts.state = 'running'
        AND prompts.plan_id = k.plan AND p.id = k.plan AND p.version = coalesce(k.version, p.version)
        AND actor.id = prompts.actor_id AND actor.disabled_at IS NULL
        -- The rights as they are now, not as they were when the turn began.
