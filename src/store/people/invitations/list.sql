SELECT i.id, i.email, i.role, i.brand_id, b.name AS brand_name, i.invited_by, u.display_name AS inviter,
    i.created_at, i.expires_at, i.expires_at <= now() AS is_expired
FROM (SELECT $1::uuid AS id, $2::uuid AS brand) wanted
JOIN invitations i ON i.id = coalesce(wanted.id, i.id) AND (wanted.brand IS NULL OR i.brand_id = wanted.brand)
LEFT JOIN brands b ON b.id = i.brand_id
LEFT JOIN users u ON u.id = i.invited_by
WHERE i.accepted_at IS NULL
ORDER BY i.created_at DESC, i.id DESC
LIMIT 500
