        AND actor.role = 'platform_admin' AND p.user_id = prompts.user_id
        AND EXISTS (
            SELECT FROM users effective, sessions s
            WHERE effective.id = prompts.user_id AND effective.role = 'franchisee' AND effective.disabled_at IS NULL
                AND s.id = k.session AND s.user_id = actor.id AND s.expires_at > now()
                AND s.data #>> '{impersonation,userId}' = effective.id::text
                AND s.data #>> '{impersonation,terms,mode}' = 'edit'
                AND (s.data #>> '{impersonation,terms,expiresAt}')::timestamptz > now()
        )
