-- Who published an edition of a brand, and which corrections of its defaults the owner of a plan has left aside.

ALTER TABLE brand_versions
    ADD COLUMN published_by UUID REFERENCES users (id) ON DELETE SET NULL,
    ADD COLUMN publisher_name TEXT;
CREATE INDEX brand_versions_published_by ON brand_versions (published_by);
COMMENT ON COLUMN brand_versions.published_by IS 'Who published it; NULL for the demo, the command line or a removed person';
COMMENT ON COLUMN brand_versions.publisher_name IS 'Name of a removed publisher';

-- What the audit still knows of editions from before.
UPDATE brand_versions v
SET published_by = a.actor_id, publisher_name = a.actor_name
FROM audit_events a
WHERE a.kind IN ('brand_created', 'brand_replaced') AND a.detail ->> 'brandVersionId' = v.id::text;

CREATE FUNCTION keep_name_of_removed_publisher() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE brand_versions SET publisher_name = OLD.display_name WHERE published_by = OLD.id;
    RETURN OLD;
END
$$;
CREATE TRIGGER users_keep_publisher_name BEFORE DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION keep_name_of_removed_publisher();

CREATE TABLE left_corrections (
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    left_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (plan_id, field)
);
COMMENT ON TABLE left_corrections IS 'Corrections of a brand''s defaults that the owner of a plan was told of and left aside';
COMMENT ON COLUMN left_corrections.plan_id IS 'The plan';
COMMENT ON COLUMN left_corrections.field IS 'Path of the field';
COMMENT ON COLUMN left_corrections.version IS 'The newest edition of the brand then: what was corrected up to it is not told again';
COMMENT ON COLUMN left_corrections.left_at IS 'Database clock';
