-- Documents of a plan as they were made, and links that open one without an account.

CREATE TABLE plan_documents (
    id UUID PRIMARY KEY,
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('package', 'summary')),
    paper TEXT NOT NULL CHECK (paper IN ('letter', 'a4')),
    lang TEXT NOT NULL CHECK (lang IN ('en', 'es')),
    name TEXT NOT NULL,
    plan_version BIGINT NOT NULL CHECK (plan_version > 0),
    engine_version TEXT NOT NULL,
    sha256 BYTEA NOT NULL CHECK (octet_length(sha256) = 32),
    content BYTEA NOT NULL CHECK (octet_length(content) <= 4194304),
    creation_key TEXT CHECK (octet_length(creation_key) <= 255),
    creation_request TEXT,
    created_by UUID REFERENCES users (id) ON DELETE SET NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
-- A PDF is compressed.
ALTER TABLE plan_documents ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX plan_documents_plan_id ON plan_documents (plan_id);
CREATE INDEX plan_documents_created_by ON plan_documents (created_by);
CREATE UNIQUE INDEX plan_documents_creation_key ON plan_documents (plan_id, created_by, creation_key) WHERE creation_key IS NOT NULL;
COMMENT ON TABLE plan_documents IS 'What was printed of a plan; never changed, gone with the plan; at most fifty a plan';
COMMENT ON COLUMN plan_documents.id IS 'UUID v7';
COMMENT ON COLUMN plan_documents.plan_id IS 'The plan';
COMMENT ON COLUMN plan_documents.kind IS 'How much of the plan it shows';
COMMENT ON COLUMN plan_documents.paper IS 'The size of its sheets';
COMMENT ON COLUMN plan_documents.lang IS 'Its language';
COMMENT ON COLUMN plan_documents.name IS 'The plan''s name when it was made, for the name of the file';
COMMENT ON COLUMN plan_documents.plan_version IS 'The version of the plan that it shows';
COMMENT ON COLUMN plan_documents.engine_version IS 'The engine that computed its figures';
COMMENT ON COLUMN plan_documents.sha256 IS 'Of the content; the ETag';
COMMENT ON COLUMN plan_documents.content IS 'The PDF, at most 4 MiB';
COMMENT ON COLUMN plan_documents.creation_key IS 'Idempotency-Key of the request that made it; unique in the plan for each person';
COMMENT ON COLUMN plan_documents.creation_request IS 'The request that used the key, without the key';
COMMENT ON COLUMN plan_documents.created_by IS 'In whose name it was made; NULL when that person is gone';
COMMENT ON COLUMN plan_documents.created_at IS 'Database clock';

CREATE TABLE document_links (
    id UUID PRIMARY KEY,
    document_id UUID NOT NULL REFERENCES plan_documents (id) ON DELETE CASCADE,
    token_hash BYTEA NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_by UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    actor_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    expires_at TIMESTAMPTZ NOT NULL,
    opened BIGINT NOT NULL DEFAULT 0 CHECK (opened >= 0),
    last_opened_at TIMESTAMPTZ
);
CREATE INDEX document_links_document_id ON document_links (document_id);
CREATE INDEX document_links_created_by ON document_links (created_by);
CREATE INDEX document_links_actor_id ON document_links (actor_id);
COMMENT ON TABLE document_links IS 'Links that open a document without an account; gone when they are revoked, and with the rights of who made them';
COMMENT ON COLUMN document_links.id IS 'UUID v7';
COMMENT ON COLUMN document_links.document_id IS 'The document';
COMMENT ON COLUMN document_links.token_hash IS 'SHA-256 of the token in the link';
COMMENT ON COLUMN document_links.created_by IS 'In whose name it was made';
COMMENT ON COLUMN document_links.actor_id IS 'Who made it; another person during an impersonation';
COMMENT ON COLUMN document_links.created_at IS 'Database clock';
COMMENT ON COLUMN document_links.expires_at IS 'From then on it opens nothing; at most 30 days after it was made';
COMMENT ON COLUMN document_links.opened IS 'How often the document was read by it';
COMMENT ON COLUMN document_links.last_opened_at IS 'When it was read last; NULL before the first time';

-- What a lender has on paper must be what is here: only the name of a removed person goes, and all of it with the plan.
CREATE FUNCTION refuse_changing_document() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    kept plan_documents%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM plans WHERE id = OLD.plan_id) THEN
        RETURN OLD;
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.created_by IS NULL AND NOT EXISTS (SELECT FROM users WHERE id = OLD.created_by) THEN
        kept := NEW;
        kept.created_by := OLD.created_by;
        IF kept IS NOT DISTINCT FROM OLD THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER plan_documents_immutable BEFORE DELETE OR UPDATE ON plan_documents
    FOR EACH ROW EXECUTE FUNCTION refuse_changing_document();
CREATE TRIGGER plan_documents_never_emptied BEFORE TRUNCATE ON plan_documents
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_changing_document();

-- Nobody puts tables of their own in the place of ours.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION refuse_changing_document() SET search_path = %I, pg_temp', current_schema());
END
$$;
