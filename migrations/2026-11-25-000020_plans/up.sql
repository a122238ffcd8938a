-- Plans and their scenarios. A scenario holds only what differs, so that it follows its plan.

CREATE TABLE plans (
    id UUID PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    brand_version_id UUID NOT NULL REFERENCES brand_versions (id) ON DELETE RESTRICT,
    name TEXT NOT NULL,
    version BIGINT NOT NULL DEFAULT 1 CHECK (version > 0),
    financial_inputs JSONB COMPRESSION lz4 CHECK (jsonb_typeof(financial_inputs) = 'object'),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    creation_key TEXT CHECK (octet_length(creation_key) <= 255),
    creation_request TEXT
);
CREATE INDEX plans_brand_version_id ON plans (brand_version_id);
CREATE UNIQUE INDEX plans_creation_key ON plans (user_id, creation_key) WHERE creation_key IS NOT NULL;
CREATE INDEX plans_user_id ON plans (user_id);
ALTER TABLE users ADD CONSTRAINT users_active_plan_id_fkey FOREIGN KEY (active_plan_id) REFERENCES plans (id) ON DELETE SET NULL;
COMMENT ON TABLE plans IS 'A franchisee''s business plan';
COMMENT ON COLUMN plans.id IS 'UUID v7';
COMMENT ON COLUMN plans.user_id IS 'The franchisee who owns it';
COMMENT ON COLUMN plans.brand_version_id IS 'Defaults and ranges it was made with';
COMMENT ON COLUMN plans.name IS 'Chosen by its owner';
COMMENT ON COLUMN plans.version IS 'Grows with every change of the inputs; the ETag';
COMMENT ON COLUMN plans.financial_inputs IS 'Path to field value; NULL until the first value';
COMMENT ON COLUMN plans.created_at IS 'Database clock';
COMMENT ON COLUMN plans.updated_at IS 'Database clock';
COMMENT ON COLUMN plans.creation_key IS 'Idempotency-Key of the request that made it; unique within its owner';
COMMENT ON COLUMN plans.creation_request IS 'What the key stands for: brand and name as they were asked for; NULL if it was erased';

CREATE TABLE plan_scenarios (
    id UUID PRIMARY KEY,
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK ((char_length(name) >= 1) AND (char_length(name) <= 60)),
    name_key TEXT NOT NULL,
    overrides JSONB NOT NULL CHECK (jsonb_typeof(overrides) = 'object'),
    created_by UUID REFERENCES users (id) ON DELETE SET NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    CONSTRAINT plan_scenarios_name UNIQUE (plan_id, name_key)
);
CREATE INDEX plan_scenarios_created_by ON plan_scenarios (created_by);
COMMENT ON TABLE plan_scenarios IS 'Hypothetical values on top of a plan as it is now; at most ten a plan';
COMMENT ON COLUMN plan_scenarios.id IS 'UUID v7';
COMMENT ON COLUMN plan_scenarios.plan_id IS 'The plan';
COMMENT ON COLUMN plan_scenarios.name IS 'As the person wrote it, without what cannot be seen';
COMMENT ON COLUMN plan_scenarios.name_key IS 'The name in NFKC, lower case and without invisible characters; unique in the plan';
COMMENT ON COLUMN plan_scenarios.overrides IS 'Value by catalogue path, in the field''s unit; at most 40';
COMMENT ON COLUMN plan_scenarios.created_by IS 'In whose name it was saved; NULL when that person is gone';
COMMENT ON COLUMN plan_scenarios.created_at IS 'Database clock';
COMMENT ON COLUMN plan_scenarios.updated_at IS 'Database clock; when name or values changed last';
