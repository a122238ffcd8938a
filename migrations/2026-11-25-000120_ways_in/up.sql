-- Links that die with the rights of who made them, and an audit that nobody but its owner can be made to change.

ALTER TABLE password_resets ADD COLUMN approved_by UUID REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX password_resets_approved_by ON password_resets (approved_by);
COMMENT ON COLUMN password_resets.approved_by IS 'The second administrator, without whom a link for a platform administrator opens nothing; NULL before, and for links that need none';

-- A removed person's address is in no invitation, not even one that they never used. What they handed out opens nothing any more.
CREATE OR REPLACE FUNCTION forget_invitations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM invitations WHERE email = OLD.email OR (invited_by = OLD.id AND accepted_at IS NULL);
    DELETE FROM password_resets WHERE created_by = OLD.id OR approved_by = OLD.id;
    RETURN OLD;
END
$$;

-- The audits change only by what their owner does: foreign keys act with the owner's rights, and so do the functions that erase words
-- or keep a removed person's name. What may change is recognized by its content, because the server may be run as the owner: a
-- reference goes only when what it leads to is gone, or with the person whom `remove_some_of` removes in batches, and a name is that of
-- the person whom the row names.
CREATE OR REPLACE FUNCTION refuse_rewriting_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of_values boolean := TG_TABLE_NAME = 'plan_changes';
    by_owner boolean := pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE');
    removed uuid := nullif(current_setting('plan_advisor.removal', true), '')::uuid;
    references_and_names text[] := ARRAY['actor_id', 'effective_user_id', 'actor_name', 'effective_user_name'];
BEGIN
    IF TG_OP = 'DELETE' AND of_values THEN
        IF by_owner AND NOT EXISTS (SELECT FROM plans WHERE id = OLD.plan_id AND user_id IS DISTINCT FROM removed) THEN
            RETURN OLD;
        END IF;
    ELSIF TG_OP = 'DELETE' THEN
        IF current_setting('plan_advisor.retention', true) = 'audit_events' AND OLD.created_at < now() - interval '30 days' THEN
            RETURN OLD;
        END IF;
    ELSIF TG_OP = 'UPDATE' AND by_owner THEN
        IF of_values THEN
            IF current_setting('plan_advisor.erasure', true) = 'on' AND NEW.evidence IS NULL
                AND to_jsonb(NEW) - 'evidence' = to_jsonb(OLD) - 'evidence'
            THEN
                RETURN NEW;
            END IF;
            references_and_names := references_and_names || ARRAY['turn_id'];
        END IF;
        IF NEW IS DISTINCT FROM OLD
            AND to_jsonb(NEW) - references_and_names = to_jsonb(OLD) - references_and_names
            AND (NEW.actor_id IS NOT DISTINCT FROM OLD.actor_id
                OR (NEW.actor_id IS NULL AND NOT EXISTS (SELECT FROM users WHERE id = OLD.actor_id AND id IS DISTINCT FROM removed)))
            AND (NEW.effective_user_id IS NOT DISTINCT FROM OLD.effective_user_id
                OR (NEW.effective_user_id IS NULL
                    AND NOT EXISTS (SELECT FROM users WHERE id = OLD.effective_user_id AND id IS DISTINCT FROM removed)))
            AND (NEW.turn_id IS NOT DISTINCT FROM OLD.turn_id
                OR (NEW.turn_id IS NULL AND NOT EXISTS (SELECT FROM prompts WHERE id = OLD.turn_id)))
            AND (NEW.actor_name IS NOT DISTINCT FROM OLD.actor_name
                OR NEW.actor_name = (SELECT display_name FROM users WHERE id = OLD.actor_id))
            AND (NEW.effective_user_name IS NOT DISTINCT FROM OLD.effective_user_name
                OR NEW.effective_user_name = (SELECT display_name FROM users WHERE id = OLD.effective_user_id))
        THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

-- With the owner's rights, or the audits would refuse the name.
ALTER FUNCTION keep_name_of_removed_person() SECURITY DEFINER;

-- Nobody puts tables of their own in the place of ours.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['keep_name_of_removed_person()', 'refuse_rewriting_audit()', 'forget_invitations()'] LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
    END LOOP;
END
$$;

-- A person's address and the words they chose for a key stayed in the audit when they were removed. The ids say the same.
ALTER TABLE audit_events DISABLE TRIGGER audit_events_append_only;
UPDATE audit_events SET detail = detail - 'email' WHERE kind = 'invitation_created' AND detail ? 'email';
UPDATE audit_events SET detail = detail - 'name' WHERE kind IN ('token_created', 'token_revoked') AND detail ? 'name';
ALTER TABLE audit_events ENABLE TRIGGER audit_events_append_only;
CREATE INDEX audit_events_invitation_id ON audit_events (((detail ->> 'invitationId'))) WHERE (detail ->> 'invitationId') IS NOT NULL;
