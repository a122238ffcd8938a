-- What a person did in somebody else's plan stays when the person is removed, with the name they had. Their own plans go
-- with them. The constraints are checked by the next migration, which blocks neither reads nor writes.

ALTER TABLE prompts
    ALTER COLUMN user_id DROP NOT NULL,
    ALTER COLUMN actor_id DROP NOT NULL,
    ADD COLUMN user_name TEXT,
    ADD COLUMN actor_name TEXT,
    DROP CONSTRAINT prompts_user_id_fkey,
    DROP CONSTRAINT prompts_actor_id_fkey,
    ADD CONSTRAINT prompts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL NOT VALID,
    ADD CONSTRAINT prompts_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users (id) ON DELETE SET NULL NOT VALID;
COMMENT ON COLUMN prompts.user_id IS 'In whose name it was sent; NULL if they were removed';
COMMENT ON COLUMN prompts.actor_id IS 'Who sent it; differs from user_id under impersonation; NULL if they were removed';
COMMENT ON COLUMN prompts.user_name IS 'Name of a removed user';
COMMENT ON COLUMN prompts.actor_name IS 'Name of a removed actor';

ALTER TABLE plan_changes
    ALTER COLUMN actor_id DROP NOT NULL,
    ALTER COLUMN effective_user_id DROP NOT NULL,
    ADD COLUMN actor_name TEXT,
    ADD COLUMN effective_user_name TEXT,
    DROP CONSTRAINT plan_changes_actor_id_fkey,
    DROP CONSTRAINT plan_changes_effective_user_id_fkey,
    ADD CONSTRAINT plan_changes_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users (id) ON DELETE SET NULL NOT VALID,
    ADD CONSTRAINT plan_changes_effective_user_id_fkey FOREIGN KEY (effective_user_id) REFERENCES users (id) ON DELETE SET NULL NOT VALID;
COMMENT ON COLUMN plan_changes.actor_id IS 'Who did it; NULL if they were removed';
COMMENT ON COLUMN plan_changes.effective_user_id IS 'In whose name; NULL if they were removed';
COMMENT ON COLUMN plan_changes.actor_name IS 'Name of a removed actor';
COMMENT ON COLUMN plan_changes.effective_user_name IS 'Name of a removed effective user';

ALTER TABLE extractions ADD COLUMN settled_by_name TEXT;
COMMENT ON COLUMN extractions.settled_by_name IS 'Name of a removed person who settled it';

ALTER TABLE audit_events
    ADD COLUMN actor_name TEXT,
    ADD COLUMN effective_user_name TEXT;
COMMENT ON COLUMN audit_events.actor_name IS 'Name of a removed actor';
COMMENT ON COLUMN audit_events.effective_user_name IS 'Name of a removed effective user';

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
CREATE TRIGGER users_keep_name BEFORE DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION keep_name_of_removed_person();

-- A role that may empty a table could erase the audits at once. The owner of the tables could drop the triggers too, so the
-- server is best run as another role.
CREATE TRIGGER plan_changes_never_emptied BEFORE TRUNCATE ON plan_changes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting_audit();
CREATE TRIGGER audit_events_never_emptied BEFORE TRUNCATE ON audit_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting_audit();
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
