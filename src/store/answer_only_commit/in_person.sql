        AND k.session IS NULL AND prompts.user_id = actor.id
        AND (actor.role = 'platform_admin' OR actor.role = 'franchisee' AND p.user_id = actor.id)
