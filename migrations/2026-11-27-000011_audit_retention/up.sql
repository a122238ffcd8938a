-- Events of the audit log may be deleted for their age, and only for that: never before they are 30 days old, and only by a
-- statement that says it is the retention. Changes of plans stay as long as their plan.

CREATE OR REPLACE FUNCTION refuse_rewriting_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_trigger_depth() > 1 THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    IF TG_TABLE_NAME = 'audit_events' AND TG_OP = 'DELETE' AND current_setting('plan_advisor.retention', true) = 'audit_events' THEN
        IF OLD.created_at < now() - interval '30 days' THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;
