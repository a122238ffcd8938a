-- The tables and procedures of turn-rows.sh.

CREATE FUNCTION time_ordered_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(
        overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
        'hex')::uuid
$$;

INSERT INTO users (id, email, display_name, role, password_hash)
SELECT gen_random_uuid(), 'user' || n || '@rows.test', 'User ' || n, 'franchisee', 'x' FROM generate_series(1, 2000) n;
INSERT INTO plans (id, user_id, brand_version_id, name)
SELECT gen_random_uuid(), u.id, v.id, 'Plan' FROM users u, (SELECT id FROM brand_versions LIMIT 1) v WHERE u.email LIKE '%@rows.test';
CREATE TABLE owners AS
SELECT row_number() OVER () - 1 AS n, id AS plan_id, user_id FROM plans WHERE name = 'Plan';
CREATE UNIQUE INDEX ON owners (n);

CREATE FUNCTION f(a integer, b integer) RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT (random() * 100000000)::bigint';

-- Texts of 2 kB out of 400 words, and endings as large as real ones: 45 figures of years, 23 key figures, five sentences.
CREATE TABLE words AS SELECT n, substr(translate(md5(n::text), '0123456789', 'ghijklmnop'), 1, 2 + n % 8) AS word FROM generate_series(1, 400) n;
CREATE TABLE patterns AS
SELECT n,
    (SELECT left(string_agg(w.word, ' '), 2000) FROM (
        SELECT word FROM words, generate_series(1, 2) ORDER BY md5(words.n::text || g.n::text || generate_series)) w) AS answer,
    jsonb_build_object(
        'type', 'done', 'turnId', gen_random_uuid(), 'finishReason', 'stop', 'extractedValues', '[]'::jsonb, 'pendingConfirmation', NULL,
        'missingFields', '[]'::jsonb, 'usage', jsonb_build_object('promptTokens', 9000 + n, 'completionTokens', 500, 'totalTokens', 9500 + n, 'estimated', false),
        'updatedOutputs', jsonb_build_object(
            'computedAt', now(), 'engineVersion', '1.0.0', 'changes', '[]'::jsonb,
            'annual', (SELECT jsonb_agg(jsonb_build_object('year', y, 'revenue', f(y, 1), 'grossProfit', f(y, 2), 'ebitda', f(y, 3),
                'operatingEbitda', f(y, 4), 'preTaxIncome', f(y, 5), 'netIncome', f(y, 6), 'dscr', f(y, 7) / 1e8, 'endingCash', f(y, 8)))
                FROM generate_series(1, 5) y),
            'metrics', (SELECT jsonb_object_agg('metricOfThePlan' || m, f(m, 9)) FROM generate_series(1, 23) m),
            'item7', jsonb_build_object('low', f(1, 10), 'high', f(2, 10), 'planTotal', f(3, 10), 'position', 'within'),
            'checks', jsonb_build_object('passed', true, 'failed', '[]'::jsonb),
            'advisories', (SELECT jsonb_agg(jsonb_build_object('code', 'code' || a, 'level', 'watch', 'message',
                'On your assumptions the figure number ' || a || ' is ' || f(a, 11) || ' (reference: ' || f(a, 12) || ').')) FROM generate_series(1, 5) a)))
        AS ending
FROM generate_series(1, 100) g (n);

-- Turns of the past, so that the indexes are not empty.
INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, output, fingerprint, idempotency_key, owner, lease_until, created_at, completed_at)
SELECT gen_random_uuid(), o.plan_id, o.user_id, o.user_id, 'm', CASE WHEN g.n % 50 = 7 THEN 'failed' ELSE 'completed' END, 'Hello', 'Hi',
    sha256(g.n::text::bytea), gen_random_uuid()::text, gen_random_uuid(), now(), now() - g.n * interval '1 minute', now() - g.n * interval '1 minute'
FROM generate_series(1, 100000) g (n) JOIN owners o ON o.n = g.n % 2000;

CREATE FUNCTION prepare(way text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF way = 'beside' THEN
        DROP INDEX prompts_one_running_per_plan;
        CREATE TABLE running_turns (
            plan_id uuid PRIMARY KEY,
            turn_id uuid NOT NULL,
            owner uuid NOT NULL,
            fence bigint NOT NULL,
            lease_until timestamptz NOT NULL,
            cancel_requested boolean NOT NULL DEFAULT false
        ) WITH (fillfactor = 50);
    ELSIF way = 'apart' THEN
        DROP INDEX prompts_one_running_per_plan;
        CREATE TABLE running_turns (LIKE prompts INCLUDING DEFAULTS) WITH (fillfactor = 50);
        ALTER TABLE running_turns ADD PRIMARY KEY (plan_id);
        -- Requests with the same key meet here.
        CREATE UNIQUE INDEX ON running_turns (user_id, plan_id, idempotency_key);
    END IF;
END
$$;

-- Twenty turns run at once, each in transactions of its own, as in the server; their leases are renewed together.
CREATE PROCEDURE run(way text, turns integer, renewals integer) LANGUAGE plpgsql AS $$
DECLARE
    at_once CONSTANT integer := 20;
    instance CONSTANT uuid := gen_random_uuid();
    ids uuid[];
    plan_ids uuid[];
    which record;
    pattern patterns;
BEGIN
    FOR batch IN 0 .. turns / at_once - 1 LOOP
        ids := '{}';
        plan_ids := '{}';
        FOR which IN SELECT o.*, time_ordered_id() AS id FROM generate_series(0, at_once - 1) i JOIN owners o ON o.n = (batch * at_once + i) * 7 % 2000 LOOP
            ids := ids || which.id;
            plan_ids := plan_ids || which.plan_id;
            IF way = 'apart' THEN
                INSERT INTO running_turns (id, plan_id, user_id, actor_id, model, state, input, idempotency_key, fingerprint, owner, lease_until)
                VALUES (which.id, which.plan_id, which.user_id, which.user_id, 'model', 'running', repeat('What does my plan say? ', 8),
                    gen_random_uuid()::text, sha256(which.id::text::bytea), instance, now() + interval '30 seconds');
            ELSE
                INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, idempotency_key, fingerprint, owner, lease_until)
                VALUES (which.id, which.plan_id, which.user_id, which.user_id, 'model', 'running', repeat('What does my plan say? ', 8),
                    gen_random_uuid()::text, sha256(which.id::text::bytea), instance, now() + interval '30 seconds');
                IF way = 'beside' THEN
                    INSERT INTO running_turns VALUES (which.plan_id, which.id, instance, 1, now() + interval '30 seconds');
                END IF;
            END IF;
            COMMIT;
        END LOOP;
        FOR renewal IN 1 .. renewals LOOP
            IF way IN ('beside', 'apart') THEN
                UPDATE running_turns SET lease_until = now() + interval '30 seconds' WHERE plan_id = ANY (plan_ids) AND owner = instance;
            ELSE
                UPDATE prompts SET lease_until = now() + interval '30 seconds' WHERE id = ANY (ids) AND owner = instance AND state = 'running';
            END IF;
            COMMIT;
        END LOOP;
        FOR i IN 1 .. at_once LOOP
            SELECT * INTO pattern FROM patterns WHERE n = 1 + (batch + i) % 100;
            IF way = 'twice' THEN
                pattern.ending := pattern.ending || jsonb_build_object('fullResponse', pattern.answer);
            END IF;
            IF way = 'apart' THEN
                WITH ended AS (DELETE FROM running_turns WHERE plan_id = plan_ids[i] AND fence = 1 RETURNING *)
                INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, idempotency_key, fingerprint, owner, lease_until, attempt, fence,
                    created_at, output, ending, prompt_tokens, completion_tokens, total_tokens, completed_at)
                SELECT id, plan_id, user_id, actor_id, model, 'completed', input, idempotency_key, fingerprint, owner, lease_until, attempt, fence,
                    created_at, pattern.answer, pattern.ending, 9000, 500, 9500, now() FROM ended;
            ELSE
                IF way = 'beside' THEN
                    DELETE FROM running_turns WHERE plan_id = plan_ids[i] AND fence = 1;
                END IF;
                UPDATE prompts SET state = 'completed', output = pattern.answer, ending = pattern.ending, prompt_tokens = 9000, completion_tokens = 500,
                    total_tokens = 9500, completed_at = now()
                WHERE id = ids[i] AND fence = 1 AND state = 'running';
            END IF;
            COMMIT;
        END LOOP;
    END LOOP;
END
$$;
