-- Whether a model is fit for the second look, measured once a day for all instances together.

CREATE TABLE reviewer_checks (
    model TEXT PRIMARY KEY,
    is_fit BOOLEAN NOT NULL,
    measured_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE reviewer_checks IS 'What six fixed claims have shown of a model that takes the second look';
COMMENT ON COLUMN reviewer_checks.model IS 'Its name and a hash of its server''s address';
COMMENT ON COLUMN reviewer_checks.is_fit IS 'Whether it confirmed none of the wrong claims';
COMMENT ON COLUMN reviewer_checks.measured_at IS 'When it was asked; after a day it is asked again';
