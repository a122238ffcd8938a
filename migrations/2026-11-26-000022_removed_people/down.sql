DROP TRIGGER audit_events_never_emptied ON audit_events;
DROP TRIGGER plan_changes_never_emptied ON plan_changes;
DROP TRIGGER users_keep_name ON users;
DROP FUNCTION keep_name_of_removed_person();
ALTER TABLE audit_events DROP COLUMN actor_name, DROP COLUMN effective_user_name;
ALTER TABLE extractions DROP COLUMN settled_by_name;

-- The columns were never NULL, so what removed people did cannot stay.
ALTER TABLE plan_changes DISABLE TRIGGER plan_changes_append_only;
DELETE FROM plan_changes WHERE actor_id IS NULL OR effective_user_id IS NULL;
ALTER TABLE plan_changes ENABLE TRIGGER plan_changes_append_only;
DELETE FROM prompts WHERE user_id IS NULL OR actor_id IS NULL;
ALTER TABLE plan_changes
    DROP COLUMN actor_name,
    DROP COLUMN effective_user_name,
    ALTER COLUMN actor_id SET NOT NULL,
    ALTER COLUMN effective_user_id SET NOT NULL,
    DROP CONSTRAINT plan_changes_actor_id_fkey,
    DROP CONSTRAINT plan_changes_effective_user_id_fkey,
    ADD CONSTRAINT plan_changes_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users (id) ON DELETE CASCADE,
    ADD CONSTRAINT plan_changes_effective_user_id_fkey FOREIGN KEY (effective_user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE prompts
    DROP COLUMN user_name,
    DROP COLUMN actor_name,
    ALTER COLUMN user_id SET NOT NULL,
    ALTER COLUMN actor_id SET NOT NULL,
    DROP CONSTRAINT prompts_user_id_fkey,
    DROP CONSTRAINT prompts_actor_id_fkey,
    ADD CONSTRAINT prompts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    ADD CONSTRAINT prompts_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users (id) ON DELETE CASCADE;
