-- Creates logged-in franchisees, each with a copy of Sam's plan, and conversations of any length.

CREATE FUNCTION bench_people(count int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO users (id, email, display_name, role, brand_id, password_hash)
  SELECT gen_random_uuid(), 'load-' || n || '@bench.test', 'Bench ' || n, role, brand_id, password_hash
  FROM users, generate_series(0, count - 1) n WHERE email = 'sam@demo.test';

  INSERT INTO plans (id, user_id, brand_version_id, name, financial_inputs)
  SELECT gen_random_uuid(), owner.id, sams.brand_version_id, owner.display_name, sams.financial_inputs
  FROM users owner,
       (SELECT p.* FROM plans p JOIN users u ON u.id = p.user_id WHERE u.email = 'sam@demo.test' LIMIT 1) sams
  WHERE owner.email LIKE 'load-%';

  UPDATE users u SET active_plan_id = p.id FROM plans p WHERE p.user_id = u.id AND u.email LIKE 'load-%';
$$;

-- Logs everybody in: thousands of logins would take minutes of hashing. A cookie holds the session's id, the table its SHA-256.
CREATE FUNCTION bench_sessions() RETURNS TABLE (plan uuid, cookie text) LANGUAGE sql AS $$
  WITH made AS MATERIALIZED (
    SELECT active_plan_id AS plan, id AS person, display_name AS name, decode(md5(random()::text || id::text), 'hex') AS session
    FROM users WHERE email LIKE 'load-%'
  ), begun AS (
    INSERT INTO sessions (id, user_id, data, expires_at)
    SELECT sha256(session), person, jsonb_build_object('user_id', person,
      'logged_in_at', to_char(now() AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), now() + interval '1 day'
    FROM made
  )
  -- The id's bytes the other way round, in base64 for addresses.
  SELECT plan, (SELECT translate(encode(decode(string_agg(substr(encode(session, 'hex'), 31 - 2 * i, 2), '' ORDER BY i), 'hex'),
    'base64'), '+/=', '-_') FROM generate_series(0, 15) i)
  FROM made ORDER BY substr(name, 7)::int
$$;

-- About 500 letters of plain words, which pack as well as what people write.
CREATE FUNCTION bench_text(key int) RETURNS text LANGUAGE sql AS $$
  SELECT string_agg(words[1 + (hashint4(key * 127 + place) & 63)], ' ')
  FROM generate_series(1, 80) place, (SELECT string_to_array(
    'the a of to and in for is on that with as at by from or your rent month sales labor growth cost percent loan term'
    || ' interest rate margin average salon location lease staff payroll royalty fee marketing budget cash flow break even'
    || ' year revenue price visit customer season opening equipment build out insurance utilities supplies working capital'
    || ' reserve plan number we', ' ') AS words) list
$$;

-- Messages number first … last of a conversation; the person has the odd ones.
CREATE FUNCTION bench_messages(first int, last int) RETURNS jsonb LANGUAGE sql AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'turnId', gen_random_uuid(),
    'role', CASE WHEN i % 2 = 1 THEN 'user' ELSE 'assistant' END, 'content', bench_text(i),
    'extractedValues', null, 'timestamp', '2026-01-01T00:00:00Z') ORDER BY i), '[]')
  FROM generate_series(first, last) i
$$;

-- Every plan has the same conversation, so that it is made once.
CREATE FUNCTION bench_conversations(messages int) RETURNS void LANGUAGE sql AS $$
  DELETE FROM ai_conversations;
  DELETE FROM ai_conversation_archive;
  INSERT INTO ai_conversations (id, plan_id, messages, total_tokens_used)
  SELECT gen_random_uuid(), p.id, made.messages, 1000
  FROM plans p, (SELECT bench_messages(1, $1) AS messages) made WHERE p.name LIKE 'Bench %';
$$;

-- In the shape the server leaves a conversation in: past 100 messages the newest 20 to 59 are in the row, those before in the
-- archive.
CREATE FUNCTION bench_conversation(plan uuid, messages int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE archived int := CASE WHEN messages > 100 THEN (messages - 20) / 40 * 40 ELSE 0 END;
BEGIN
  DELETE FROM ai_conversation_archive a WHERE a.plan_id = plan;
  INSERT INTO ai_conversation_archive (plan_id, position, message)
  SELECT plan, m.position, m.message FROM jsonb_array_elements(bench_messages(1, archived)) WITH ORDINALITY m (message, position);
  UPDATE ai_conversations c SET messages = bench_messages(archived + 1, bench_conversation.messages),
    archived_count = archived, updated_at = now() WHERE c.plan_id = plan;
END $$;
