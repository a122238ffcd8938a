-- Brands, their editions, and the people who log in.

CREATE TABLE brands (
    id UUID PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    current_version INTEGER NOT NULL CHECK (current_version > 0),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
COMMENT ON TABLE brands IS 'Franchise brands';
COMMENT ON COLUMN brands.id IS 'UUID v7';
COMMENT ON COLUMN brands.slug IS 'Short unique name for people and URLs';
COMMENT ON COLUMN brands.name IS 'Display name of the current edition';
COMMENT ON COLUMN brands.current_version IS 'Edition that new plans start from';
COMMENT ON COLUMN brands.created_at IS 'Database clock';
COMMENT ON COLUMN brands.updated_at IS 'Database clock';

CREATE TABLE brand_versions (
    id UUID PRIMARY KEY,
    brand_id UUID NOT NULL REFERENCES brands (id) ON DELETE CASCADE,
    version INTEGER NOT NULL CHECK (version > 0),
    document JSONB COMPRESSION lz4 NOT NULL CHECK (jsonb_typeof(document) = 'object'),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    CONSTRAINT brand_versions_brand_id_version_key UNIQUE (brand_id, version)
);
COMMENT ON TABLE brand_versions IS 'Immutable editions of a brand''s document; a plan keeps the one it was made with';
COMMENT ON COLUMN brand_versions.id IS 'UUID v7';
COMMENT ON COLUMN brand_versions.brand_id IS 'The brand';
COMMENT ON COLUMN brand_versions.version IS '1, 2, 3 … within the brand';
COMMENT ON COLUMN brand_versions.document IS 'Parameters, startup cost template, thresholds, item 19 (cents, decimals)';
COMMENT ON COLUMN brand_versions.created_at IS 'Database clock';

CREATE TABLE users (
    id UUID PRIMARY KEY,
    email TEXT NOT NULL UNIQUE CHECK (email = lower(email)),
    display_name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('franchisee', 'franchisor_admin', 'platform_admin')),
    brand_id UUID REFERENCES brands (id) ON DELETE RESTRICT,
    password_hash TEXT,
    active_plan_id UUID,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    failed_logins INTEGER NOT NULL DEFAULT 0 CHECK (failed_logins >= 0),
    failed_login_at TIMESTAMPTZ,
    disabled_at TIMESTAMPTZ,
    CHECK ((role <> 'franchisor_admin') OR (brand_id IS NOT NULL))
);
CREATE INDEX users_active_plan_id ON users (active_plan_id);
CREATE INDEX users_brand_id ON users (brand_id);
COMMENT ON TABLE users IS 'People who can log in';
COMMENT ON COLUMN users.id IS 'UUID v7';
COMMENT ON COLUMN users.email IS 'Lower case';
COMMENT ON COLUMN users.display_name IS 'How the advisor addresses them';
COMMENT ON COLUMN users.role IS 'franchisee, franchisor_admin or platform_admin';
COMMENT ON COLUMN users.brand_id IS 'The brand a franchisor_admin edits, or a franchisee belongs to';
COMMENT ON COLUMN users.password_hash IS 'argon2id in PHC form; NULL for a person who signs in by single sign-on only';
COMMENT ON COLUMN users.active_plan_id IS 'The plan whose conversation they were last in';
COMMENT ON COLUMN users.created_at IS 'Database clock';
COMMENT ON COLUMN users.failed_logins IS 'Failed logins since the last good one; from 100 on one try in 15 minutes is looked at. 0 lets the person in again';
COMMENT ON COLUMN users.failed_login_at IS 'When the last try was counted';
COMMENT ON COLUMN users.disabled_at IS 'Since when they may not sign in; NULL if they may';
