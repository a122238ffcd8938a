DROP INDEX audit_events_invitation_id;
ALTER FUNCTION keep_name_of_removed_person() SECURITY INVOKER;
ALTER FUNCTION keep_name_of_removed_person() RESET search_path;
ALTER FUNCTION refuse_rewriting_audit() RESET search_path;
ALTER FUNCTION forget_invitations() RESET search_path;

CREATE OR REPLACE FUNCTION refuse_rewriting_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    removed uuid := nullif(current_setting('plan_advisor.removal', true), '')::uuid;
BEGIN
    IF pg_trigger_depth() > 1 THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    IF TG_TABLE_NAME = 'audit_events' AND TG_OP = 'DELETE' AND current_setting('plan_advisor.retention', true) = 'audit_events' THEN
        IF OLD.created_at < now() - interval '30 days' THEN
            RETURN OLD;
        END IF;
    END IF;
    IF TG_TABLE_NAME = 'plan_changes' AND TG_OP = 'UPDATE' AND current_setting('plan_advisor.erasure', true) = 'on' THEN
        IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
            AND NEW.evidence IS NULL AND to_jsonb(NEW) - 'evidence' = to_jsonb(OLD) - 'evidence'
        THEN
            RETURN NEW;
        END IF;
    END IF;
    -- `remove_some_of`: what would go, or lose its reference, with the person's row.
    IF removed IS NOT NULL AND TG_OP IN ('UPDATE', 'DELETE')
        AND pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
    THEN
        IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'plan_changes' THEN
            IF EXISTS (SELECT FROM plans p WHERE p.id = OLD.plan_id AND p.user_id = removed) THEN
                RETURN OLD;
            END IF;
        ELSIF TG_OP = 'UPDATE' THEN
            IF to_jsonb(NEW) - '{actor_id,actor_name,effective_user_id,effective_user_name}'::text[]
                    = to_jsonb(OLD) - '{actor_id,actor_name,effective_user_id,effective_user_name}'::text[]
                AND NEW.actor_id IS NOT DISTINCT FROM nullif(OLD.actor_id, removed)
                AND NEW.effective_user_id IS NOT DISTINCT FROM nullif(OLD.effective_user_id, removed)
                AND (OLD.actor_id = removed OR NEW.actor_name IS NOT DISTINCT FROM OLD.actor_name)
                AND (OLD.effective_user_id = removed OR NEW.effective_user_name IS NOT DISTINCT FROM OLD.effective_user_name)
            THEN
                RETURN NEW;
            END IF;
        END IF;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE OR REPLACE FUNCTION forget_invitations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM invitations WHERE email = OLD.email;
    RETURN OLD;
END
$$;

DROP INDEX password_resets_approved_by;
ALTER TABLE password_resets DROP COLUMN approved_by;
