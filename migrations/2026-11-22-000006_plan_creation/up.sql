-- A request to make a plan that is sent twice under one idempotency key makes one plan.

ALTER TABLE plans
    ADD COLUMN creation_key TEXT CHECK (octet_length(creation_key) <= 255),
    ADD COLUMN creation_request TEXT;
CREATE UNIQUE INDEX plans_creation_key ON plans (user_id, creation_key) WHERE creation_key IS NOT NULL;
COMMENT ON COLUMN plans.creation_key IS 'Idempotency-Key of the request that made it; unique within its owner';
COMMENT ON COLUMN plans.creation_request IS 'What the key stands for: brand and name as they were asked for';
