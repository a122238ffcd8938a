-- Branches of a plan's numbers. They hold only what differs, so that they follow the plan.
CREATE TABLE plan_scenarios (
    id UUID PRIMARY KEY,
    plan_id UUID NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
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
