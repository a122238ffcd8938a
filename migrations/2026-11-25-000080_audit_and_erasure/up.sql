-- What administrators did, what stays of a removed person, and how words are erased.

CREATE TABLE audit_events (
    id UUID PRIMARY KEY,
    kind TEXT NOT NULL,
    actor_id UUID REFERENCES users (id) ON DELETE SET NULL,
    effective_user_id UUID REFERENCES users (id) ON DELETE SET NULL,
    plan_id UUID,
    turn_id UUID,
    detail JSONB NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(detail) = 'object'),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    actor_name TEXT,
    effective_user_name TEXT
);
CREATE INDEX audit_events_actor_id ON audit_events (actor_id);
CREATE INDEX audit_events_created_at ON audit_events (created_at);
CREATE INDEX audit_events_effective_user_id ON audit_events (effective_user_id);
CREATE INDEX audit_events_user_id ON audit_events (((detail ->> 'userId'))) WHERE (detail ->> 'userId') IS NOT NULL;
COMMENT ON TABLE audit_events IS 'Append-only: logins, impersonations, confirmations, cleared conversations, edited brands';
COMMENT ON COLUMN audit_events.id IS 'UUID v7';
COMMENT ON COLUMN audit_events.kind IS 'What happened';
COMMENT ON COLUMN audit_events.actor_id IS 'Who did it';
COMMENT ON COLUMN audit_events.effective_user_id IS 'In whose name';
COMMENT ON COLUMN audit_events.plan_id IS 'The plan, if any; kept when the plan goes';
COMMENT ON COLUMN audit_events.turn_id IS 'The turn, if any';
COMMENT ON COLUMN audit_events.detail IS 'Particulars, never a message or a figure';
COMMENT ON COLUMN audit_events.created_at IS 'Database clock';
COMMENT ON COLUMN audit_events.actor_name IS 'Name of a removed actor';
COMMENT ON COLUMN audit_events.effective_user_name IS 'Name of a removed effective user';

-- The words of the audit go only inside of these two functions: they run as the owner of the tables, whom the server's role
-- need not be, and nothing but the words may go with them.
CREATE FUNCTION refuse_rewriting_audit() RETURNS trigger LANGUAGE plpgsql AS $$
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
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

-- The audit trigger lets these updates pass, because they run at a deeper trigger level.
CREATE FUNCTION keep_name_of_removed_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE prompts p SET user_name = CASE WHEN p.user_id = OLD.id THEN OLD.display_name ELSE p.user_name END,
        actor_name = CASE WHEN p.actor_id = OLD.id THEN OLD.display_name ELSE p.actor_name END
    WHERE (p.user_id = OLD.id OR p.actor_id = OLD.id)
        AND NOT EXISTS (SELECT FROM plans o WHERE o.id = p.plan_id AND o.user_id = OLD.id);
    UPDATE plan_changes c SET actor_name = CASE WHEN c.actor_id = OLD.id THEN OLD.display_name ELSE c.actor_name END,
        effective_user_name = CASE WHEN c.effective_user_id = OLD.id THEN OLD.display_name ELSE c.effective_user_name END
    WHERE (c.actor_id = OLD.id OR c.effective_user_id = OLD.id)
        AND NOT EXISTS (SELECT FROM plans o WHERE o.id = c.plan_id AND o.user_id = OLD.id);
    UPDATE extractions e SET settled_by_name = OLD.display_name
    WHERE e.settled_by = OLD.id AND NOT EXISTS (SELECT FROM plans o WHERE o.id = e.plan_id AND o.user_id = OLD.id);
    UPDATE audit_events a SET actor_name = CASE WHEN a.actor_id = OLD.id THEN OLD.display_name ELSE a.actor_name END,
        effective_user_name = CASE WHEN a.effective_user_id = OLD.id THEN OLD.display_name ELSE a.effective_user_name END
    WHERE a.actor_id = OLD.id OR a.effective_user_id = OLD.id;
    RETURN OLD;
END
$$;

CREATE FUNCTION erased_values(extracted jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE jsonb_typeof(extracted)
        WHEN 'array' THEN (
            SELECT coalesce(jsonb_agg(e.value || '{"evidence": null}' ORDER BY e.position), '[]')
            FROM jsonb_array_elements(extracted) WITH ORDINALITY e (value, position)
        )
        ELSE extracted
    END
$$;
COMMENT ON FUNCTION erased_values(extracted jsonb) IS 'Extracted values without the words they came from';

CREATE FUNCTION erased_messages(messages jsonb, before text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(
        jsonb_agg(
            CASE
                WHEN NOT m.message ? 'erased' AND (before IS NULL OR m.message ->> 'timestamp' < before COLLATE "C") THEN
                    m.message || '{"content": "", "erased": true}'
                        || jsonb_build_object('extractedValues', erased_values(m.message -> 'extractedValues'))
                ELSE m.message
            END
            ORDER BY m.position
        ),
        '[]'
    )
    FROM jsonb_array_elements(messages) WITH ORDINALITY m (message, position)
$$;
COMMENT ON FUNCTION erased_messages(messages jsonb, before text) IS 'Messages without words, all or those of a time before one in RFC 3339 (UTC) or its beginning';

CREATE FUNCTION oldest_words(messages jsonb, before text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT min((m.message ->> 'timestamp')::timestamptz)
    FROM jsonb_array_elements(messages) m (message)
    WHERE NOT m.message ? 'erased' AND NOT m.message ->> 'timestamp' < before COLLATE "C"
$$;
COMMENT ON FUNCTION oldest_words(messages jsonb, before text) IS 'Time of the oldest message that has words, besides those that erased_messages erases; NULL without one';

CREATE FUNCTION erased_ending(ending jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN ending ->> 'type' = 'done' THEN
            ending || '{"pendingConfirmation": null}'
                || CASE WHEN ending ? 'fullResponse' THEN '{"fullResponse": ""}' ELSE '{}' END::jsonb
                || CASE
                    WHEN ending ? 'extractedValues' THEN
                        jsonb_build_object('extractedValues', erased_values(ending -> 'extractedValues'))
                    ELSE '{}'
                END
        ELSE ending
    END
$$;
COMMENT ON FUNCTION erased_ending(ending jsonb) IS 'The terminal event of a turn without words; errors are the server''s own texts';

CREATE FUNCTION erase_words(target uuid) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF NOT has_table_privilege(session_user, 'prompts', 'UPDATE') THEN
        RAISE EXCEPTION 'permission denied to erase words' USING ERRCODE = 'insufficient_privilege';
    END IF;
    -- Nothing can refer anew to a plan that is locked like this: no turn is claimed.
    PERFORM FROM plans WHERE id = target FOR UPDATE;
    IF EXISTS (SELECT FROM prompts WHERE plan_id = target AND state = 'running') THEN
        RETURN false;
    END IF;
    PERFORM set_config('plan_advisor.erasure', 'on', true);
    DELETE FROM pending_actions WHERE plan_id = target;
    DELETE FROM turn_progress WHERE turn_id IN (SELECT id FROM prompts WHERE plan_id = target);
    UPDATE prompts
    SET input = '', output = CASE WHEN output IS NOT NULL THEN '' END, ending = erased_ending(ending)
    WHERE plan_id = target AND state <> 'running' AND (input <> '' OR output <> '');
    UPDATE ai_conversations
    SET messages = erased_messages(messages, NULL), updated_at = now(), words_from = now()
    WHERE plan_id = target;
    UPDATE ai_conversation_segments
    SET messages = erased_messages(messages, NULL), words_from = 'infinity'
    WHERE plan_id = target;
    UPDATE plan_changes SET evidence = NULL WHERE plan_id = target AND evidence IS NOT NULL;
    UPDATE extractions
    SET details = details || '{"evidence": null}', evidence_start = NULL, evidence_end = NULL
    WHERE plan_id = target AND (details ->> 'evidence' IS NOT NULL OR evidence_start IS NOT NULL);
    UPDATE plans SET creation_request = NULL WHERE id = target AND creation_request IS NOT NULL;
    -- A failed turn that is run again needs no lock of its plan.
    IF EXISTS (SELECT FROM prompts WHERE plan_id = target AND state = 'running') THEN
        RAISE EXCEPTION 'a turn runs' USING ERRCODE = 'object_in_use';
    END IF;
    PERFORM set_config('plan_advisor.erasure', '', true);
    RETURN true;
EXCEPTION
    WHEN object_in_use THEN
        RETURN false;
END
$$;
COMMENT ON FUNCTION erase_words(target uuid) IS 'Erases what was said about a plan: messages, evidence, turns. Numbers, times, hashes and names of plans and scenarios stay. False, with nothing changed, while a turn runs';

CREATE FUNCTION erase_old_evidence(days integer, most integer) RETURNS SETOF uuid LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF NOT has_table_privilege(session_user, 'prompts', 'UPDATE') THEN
        RAISE EXCEPTION 'permission denied to erase words' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM set_config('plan_advisor.erasure', 'on', true);
    RETURN QUERY
        UPDATE plan_changes SET evidence = NULL
        WHERE id IN (
            SELECT c.id
            FROM plan_changes c
            WHERE c.evidence IS NOT NULL AND c.created_at < date_trunc('hour', now()) - make_interval(days => days)
            ORDER BY c.created_at
            LIMIT most
            FOR UPDATE SKIP LOCKED
        )
        RETURNING id;
    PERFORM set_config('plan_advisor.erasure', '', true);
END
$$;
COMMENT ON FUNCTION erase_old_evidence(days integer, most integer) IS 'Erases the words that at most so many of the oldest changes of plans came from, if they are older than so many days; returns those changes';

-- A removed person's address is in no invitation, not even one that they never used.
CREATE FUNCTION forget_invitations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM invitations WHERE email = OLD.email;
    RETURN OLD;
END
$$;

CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE ON audit_events
    FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_audit();
CREATE TRIGGER audit_events_never_emptied BEFORE TRUNCATE ON audit_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting_audit();
CREATE TRIGGER plan_changes_append_only BEFORE DELETE OR UPDATE ON plan_changes
    FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_audit();
CREATE TRIGGER plan_changes_never_emptied BEFORE TRUNCATE ON plan_changes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting_audit();
CREATE TRIGGER users_forget_invitations BEFORE DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION forget_invitations();
CREATE TRIGGER users_keep_name BEFORE DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION keep_name_of_removed_person();

-- A role that may empty a table could erase the audits at once. The owner of the tables could drop the triggers too, so the
-- server is best run as another role.
DO $$
DECLARE
    granted RECORD;
BEGIN
    FOR granted IN
        SELECT DISTINCT c.oid::regclass AS relation, CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS role
        FROM pg_class c, aclexplode(c.relacl) g
        WHERE c.oid IN ('plan_changes'::regclass, 'audit_events'::regclass) AND g.privilege_type = 'TRUNCATE' AND g.grantee <> c.relowner
    LOOP
        EXECUTE format('REVOKE TRUNCATE ON %s FROM %s', granted.relation, granted.role);
    END LOOP;
END
$$;

-- Whoever calls them cannot put tables or functions of their own in the place of ours.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['erase_words(uuid)', 'erase_old_evidence(integer, integer)'] LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
    END LOOP;
END
$$;
