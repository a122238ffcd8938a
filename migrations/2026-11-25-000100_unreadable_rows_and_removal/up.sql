-- One damaged message costs nobody else the erasure of theirs; a person is removed in batches.

-- A subtransaction for each message: the casts of PostgreSQL have no form that does not raise.
CREATE FUNCTION message_time(message jsonb) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF message ->> 'timestamp' ~ '^[0-9]{4}-' AND (message ->> 'timestamp')::timestamptz < now() + interval '1 day' THEN
        RETURN (message ->> 'timestamp')::timestamptz;
    END IF;
    RETURN NULL;
EXCEPTION
    WHEN data_exception THEN
        RETURN NULL;
END
$$;
COMMENT ON FUNCTION message_time(message jsonb) IS 'When a message was stored; NULL if its time cannot be read or is in the future';

CREATE OR REPLACE FUNCTION erased_values(extracted jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE jsonb_typeof(extracted)
        WHEN 'array' THEN (
            SELECT coalesce(
                jsonb_agg(
                    CASE jsonb_typeof(e.value) WHEN 'object' THEN e.value || '{"evidence": null}' ELSE 'null' END
                    ORDER BY e.position
                ),
                '[]'
            )
            FROM jsonb_array_elements(extracted) WITH ORDINALITY e (value, position)
        )
        ELSE 'null'
    END
$$;

CREATE OR REPLACE FUNCTION erased_message(message jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE jsonb_typeof(message)
        WHEN 'object' THEN
            message || '{"content": "", "erased": true}'
                || jsonb_build_object('extractedValues', erased_values(message -> 'extractedValues'))
        -- Whatever it is, it may be words.
        ELSE '{"content": "", "erased": true}'
    END
$$;

-- A message without a readable time is of unknown age: its words go with the oldest.
CREATE OR REPLACE FUNCTION erased_messages(messages jsonb, before text) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        jsonb_agg(
            CASE
                WHEN m.message -> 'erased' IS NULL
                    AND (before IS NULL OR message_time(m.message) IS NULL OR m.message ->> 'timestamp' < before COLLATE "C")
                THEN erased_message(m.message)
                ELSE m.message
            END
            ORDER BY m.position
        ),
        '[]'
    )
    FROM jsonb_array_elements(messages) WITH ORDINALITY m (message, position)
$$;

CREATE OR REPLACE FUNCTION oldest_words(messages jsonb, before text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT min(message_time(m.message))
    FROM jsonb_array_elements(messages) m (message)
    WHERE m.message -> 'erased' IS NULL AND NOT m.message ->> 'timestamp' < before COLLATE "C"
$$;

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

-- Running turns stay: whoever removes a person looks for them first and again at the end.
CREATE FUNCTION remove_some_of(person uuid, most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    kept_name text;
    done integer := 0;
BEGIN
    IF NOT has_table_privilege(session_user, 'users', 'DELETE') THEN
        RAISE EXCEPTION 'permission denied to remove people' USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT display_name INTO kept_name FROM users WHERE id = person;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    PERFORM set_config('plan_advisor.removal', person::text, true);
    DELETE FROM plan_changes WHERE id IN (
        SELECT c.id FROM plans p JOIN plan_changes c ON c.plan_id = p.id
        WHERE p.user_id = person LIMIT most FOR UPDATE OF c SKIP LOCKED
    );
    GET DIAGNOSTICS done = ROW_COUNT;
    IF done = 0 THEN
        DELETE FROM extractions WHERE id IN (
            SELECT e.id FROM plans p JOIN extractions e ON e.plan_id = p.id
            WHERE p.user_id = person LIMIT most FOR UPDATE OF e SKIP LOCKED
        );
        GET DIAGNOSTICS done = ROW_COUNT;
    END IF;
    IF done = 0 THEN
        DELETE FROM ai_conversation_archive WHERE (plan_id, position) IN (
            SELECT a.plan_id, a.position FROM plans p JOIN ai_conversation_archive a ON a.plan_id = p.id
            WHERE p.user_id = person LIMIT most FOR UPDATE OF a SKIP LOCKED
        );
        GET DIAGNOSTICS done = ROW_COUNT;
    END IF;
    IF done = 0 THEN
        DELETE FROM prompts WHERE id IN (
            SELECT t.id FROM plans p JOIN prompts t ON t.plan_id = p.id
            WHERE p.user_id = person AND t.state <> 'running' LIMIT most FOR UPDATE OF t SKIP LOCKED
        );
        GET DIAGNOSTICS done = ROW_COUNT;
    END IF;
    -- What they did elsewhere stays, with their name.
    IF done = 0 THEN
        UPDATE prompts SET
            user_name = CASE WHEN user_id = person THEN kept_name ELSE user_name END,
            actor_name = CASE WHEN actor_id = person THEN kept_name ELSE actor_name END,
            user_id = nullif(user_id, person),
            actor_id = nullif(actor_id, person)
        WHERE id IN (
            SELECT t.id FROM prompts t
            WHERE (t.user_id = person OR t.actor_id = person) AND t.state <> 'running'
            LIMIT most FOR UPDATE SKIP LOCKED
        );
        GET DIAGNOSTICS done = ROW_COUNT;
    END IF;
    IF done = 0 THEN
        UPDATE plan_changes SET
            actor_name = CASE WHEN actor_id = person THEN kept_name ELSE actor_name END,
            effective_user_name = CASE WHEN effective_user_id = person THEN kept_name ELSE effective_user_name END,
            actor_id = nullif(actor_id, person),
            effective_user_id = nullif(effective_user_id, person)
        WHERE id IN (
            SELECT c.id FROM plan_changes c WHERE c.actor_id = person OR c.effective_user_id = person
            LIMIT most FOR UPDATE SKIP LOCKED
        );
        GET DIAGNOSTICS done = ROW_COUNT;
    END IF;
    IF done = 0 THEN
        UPDATE extractions SET settled_by_name = kept_name, settled_by = NULL
        WHERE id IN (SELECT e.id FROM extractions e WHERE e.settled_by = person LIMIT most FOR UPDATE SKIP LOCKED);
        GET DIAGNOSTICS done = ROW_COUNT;
    END IF;
    IF done = 0 THEN
        UPDATE audit_events SET
            actor_name = CASE WHEN actor_id = person THEN kept_name ELSE actor_name END,
            effective_user_name = CASE WHEN effective_user_id = person THEN kept_name ELSE effective_user_name END,
            actor_id = nullif(actor_id, person),
            effective_user_id = nullif(effective_user_id, person)
        WHERE id IN (
            SELECT a.id FROM audit_events a WHERE a.actor_id = person OR a.effective_user_id = person
            LIMIT most FOR UPDATE SKIP LOCKED
        );
        GET DIAGNOSTICS done = ROW_COUNT;
    END IF;
    PERFORM set_config('plan_advisor.removal', '', true);
    RETURN done;
END
$$;
COMMENT ON FUNCTION remove_some_of(person uuid, most integer) IS 'Deletes or detaches at most so many rows that refer to a person who is being removed; returns how many, 0 when none is left but those that others hold. The person''s own row stays';

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION remove_some_of(uuid, integer) SET search_path = %I, pg_temp', current_schema());
END
$$;
