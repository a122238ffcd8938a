SELECT
    coalesce(
        sum(spent_before - spent_on_earlier_days + CASE state WHEN 'running' THEN $1 ELSE total_tokens END), 0
    )::bigint AS spent,
    ceil(extract(epoch FROM date_trunc('day', now()) + interval '1 day' - now()))::bigint AS seconds_left
FROM prompts
WHERE user_id = $2
    AND (started_at >= date_trunc('day', now()) OR started_at IS NULL AND created_at >= date_trunc('day', now()))
