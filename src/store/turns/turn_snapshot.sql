SELECT
    p.id, p.user_id, p.brand_version_id, p.name, p.version, p.updated_at, p.opening_month,
    CASE WHEN (p.version, p.updated_at) IS DISTINCT FROM (k.version, k.changed_at) THEN p.financial_inputs END AS financial_inputs,
    c.updated_at AS spoken_at,
    CASE
        WHEN c.updated_at IS NOT DISTINCT FROM k.known THEN NULL
        -- Nothing to cut: a third of the work of cutting.
        WHEN jsonb_array_length(c.messages) <= k.count THEN c.messages
        ELSE jsonb_path_query_array(c.messages, '$[last - $more to last]', jsonb_build_object('more', k.count - 1))
    END AS messages,
    coalesce(
        c.archived_count > 0 AND c.updated_at IS DISTINCT FROM k.known AND jsonb_array_length(c.messages) < k.count,
        false
    ) AS is_cut_short,
    EXISTS (
        SELECT FROM pending_actions a WHERE a.plan_id = p.id AND a.user_id = k.person AND a.expires_at > now()
    ) AS is_action_pending,
    EXISTS (
        SELECT FROM users u WHERE u.id = k.person AND u.active_plan_id IS DISTINCT FROM p.id
    ) AS is_elsewhere,
    EXISTS (SELECT FROM prompts t WHERE t.id = k.turn) AS is_claimed
FROM plans p
CROSS JOIN (
    SELECT $1::integer AS count, $2::timestamptz AS known, $3::bigint AS version, $4::timestamptz AS changed_at,
        $5::uuid AS person, $6::uuid AS turn
) k
LEFT JOIN ai_conversations c ON c.plan_id = p.id
WHERE p.id = $7
