WITH opened AS (
    UPDATE document_links l
    SET opened = l.opened + 1, last_opened_at = now()
    FROM plan_documents d, plans p, users giver, users actor
    WHERE l.token_hash = $1
        AND l.expires_at > now()
        AND d.id = l.document_id
        AND p.id = d.plan_id
        AND giver.id = l.created_by
        AND giver.disabled_at IS NULL
        AND (giver.role = 'platform_admin' OR (giver.role = 'franchisee' AND p.user_id = giver.id))
        AND actor.id = l.actor_id
        AND actor.disabled_at IS NULL
        AND (actor.id = giver.id OR actor.role = 'platform_admin')
    RETURNING l.document_id
)
SELECT d.name, d.kind, d.sha256, d.content
FROM opened o
JOIN plan_documents d ON d.id = o.document_id
