DROP TRIGGER users_forget_invitations ON users;
DROP FUNCTION forget_invitations();
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
DROP FUNCTION erase_old_evidence(integer, integer);
DROP FUNCTION erase_words(uuid);
DROP FUNCTION erased_ending(jsonb);
DROP FUNCTION oldest_words(jsonb, text);
DROP FUNCTION erased_messages(jsonb, text);
DROP FUNCTION erased_values(jsonb);
ALTER TABLE ai_conversation_segments DROP COLUMN words_from;
ALTER TABLE ai_conversations DROP COLUMN words_from;
