-- What people said can be erased while the numbers that came from it stay: a whole plan's at once, or what is older than a
-- number of days, a few rows at a time.
--
-- Erased text is '' rather than NULL: instances of the release before read these columns as text.

ALTER TABLE ai_conversations ADD COLUMN words_from TIMESTAMPTZ NOT NULL DEFAULT '-infinity';
ALTER TABLE ai_conversations ALTER COLUMN words_from SET DEFAULT now();
COMMENT ON COLUMN ai_conversations.words_from IS 'No message of this row that is not erased is older; -infinity where nobody has looked';
COMMENT ON COLUMN ai_conversations.messages IS 'Array of {id, turnId, role, content, extractedValues, timestamp, stopped?, erased?}, appended in SQL';
ALTER TABLE ai_conversation_segments ADD COLUMN words_from TIMESTAMPTZ NOT NULL DEFAULT '-infinity';
COMMENT ON COLUMN ai_conversation_segments.words_from IS 'As in ai_conversations; infinity where all messages are erased';
COMMENT ON COLUMN prompts.input IS 'The user''s message; empty if it was erased';
COMMENT ON COLUMN prompts.output IS 'The whole answer of a finished turn, the text so far of one that ended otherwise; NULL after a crash; empty if it was erased';
COMMENT ON COLUMN plan_changes.evidence IS 'The user''s words, where it came from an extraction; NULL if they were erased';
COMMENT ON COLUMN plans.creation_request IS 'What the key stands for: brand and name as they were asked for; NULL if it was erased';

CREATE FUNCTION erased_values(extracted jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE jsonb_typeof(extracted)
        WHEN 'array' THEN (
            SELECT coalesce(jsonb_agg(e.value || '{"evidence": null}' ORDER BY e.position), '[]')
            FROM jsonb_array_elements(extracted) WITH ORDINALITY e (value, position)
        )
        ELSE extracted
    END
$$;
COMMENT ON FUNCTION erased_values IS 'Extracted values without the words they came from';

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
COMMENT ON FUNCTION erased_messages IS 'Messages without words, all or those of a time before one in RFC 3339 (UTC) or its beginning';

CREATE FUNCTION oldest_words(messages jsonb, before text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT min((m.message ->> 'timestamp')::timestamptz)
    FROM jsonb_array_elements(messages) m (message)
    WHERE NOT m.message ? 'erased' AND NOT m.message ->> 'timestamp' < before COLLATE "C"
$$;
COMMENT ON FUNCTION oldest_words IS 'Time of the oldest message that has words, besides those that erased_messages erases; NULL without one';

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
COMMENT ON FUNCTION erased_ending IS 'The terminal event of a turn without words; errors are the server''s own texts';

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
COMMENT ON FUNCTION erase_words IS 'Erases what was said about a plan: messages, evidence, turns. Numbers, times, hashes and names of plans and scenarios stay. False, with nothing changed, while a turn runs';

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
COMMENT ON FUNCTION erase_old_evidence IS 'Erases the words that at most so many of the oldest changes of plans came from, if they are older than so many days; returns those changes';

-- The words of the audit go only inside of these two functions: they run as the owner of the tables, whom the server's role
-- need not be, and nothing but the words may go with them.
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

-- A removed person's address is in no invitation, not even one that they never used.
CREATE FUNCTION forget_invitations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM invitations WHERE email = OLD.email;
    RETURN OLD;
END
$$;
CREATE TRIGGER users_forget_invitations BEFORE DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION forget_invitations();
