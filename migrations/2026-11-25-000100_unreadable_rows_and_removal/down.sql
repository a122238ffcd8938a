DROP FUNCTION remove_some_of(uuid, integer);

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

CREATE OR REPLACE FUNCTION oldest_words(messages jsonb, before text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT min((m.message ->> 'timestamp')::timestamptz)
    FROM jsonb_array_elements(messages) m (message)
    WHERE NOT m.message ? 'erased' AND NOT m.message ->> 'timestamp' < before COLLATE "C"
$$;

CREATE OR REPLACE FUNCTION erased_messages(messages jsonb, before text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(
        jsonb_agg(
            CASE
                WHEN NOT m.message ? 'erased' AND (before IS NULL OR m.message ->> 'timestamp' < before COLLATE "C") THEN
                    erased_message(m.message)
                ELSE m.message
            END
            ORDER BY m.position
        ),
        '[]'
    )
    FROM jsonb_array_elements(messages) WITH ORDINALITY m (message, position)
$$;

CREATE OR REPLACE FUNCTION erased_message(message jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT message || '{"content": "", "erased": true}'
        || jsonb_build_object('extractedValues', erased_values(message -> 'extractedValues'))
$$;

CREATE OR REPLACE FUNCTION erased_values(extracted jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE jsonb_typeof(extracted)
        WHEN 'array' THEN (
            SELECT coalesce(jsonb_agg(e.value || '{"evidence": null}' ORDER BY e.position), '[]')
            FROM jsonb_array_elements(extracted) WITH ORDINALITY e (value, position)
        )
        ELSE extracted
    END
$$;

DROP FUNCTION message_time(jsonb);
