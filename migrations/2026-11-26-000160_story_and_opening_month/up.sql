-- What a lender reads besides the figures: when the business opens, and six short texts. The texts have a table of their own, because
-- a plan is read and locked with each turn and they are not.

ALTER TABLE plans ADD COLUMN opening_month DATE CHECK (extract(day FROM opening_month) = 1);
COMMENT ON COLUMN plans.opening_month IS 'First day of the month in which the business opens; NULL if not given';

CREATE TABLE plan_stories (
    plan_id UUID PRIMARY KEY REFERENCES plans (id) ON DELETE CASCADE,
    texts JSONB NOT NULL CHECK (jsonb_typeof(texts) = 'object'),
    version BIGINT NOT NULL CHECK (version > 0),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
COMMENT ON TABLE plan_stories IS 'What the owner writes for a lender; no row until the first text';
COMMENT ON COLUMN plan_stories.plan_id IS 'The plan';
COMMENT ON COLUMN plan_stories.texts IS 'Text by name, at most 2,000 characters each';
COMMENT ON COLUMN plan_stories.version IS 'Grows with every change of a text; the ETag';
COMMENT ON COLUMN plan_stories.updated_at IS 'Database clock';
