-- People with Sam's password, plans with Sam's inputs, conversations of any length.

CREATE FUNCTION bench_people(people int, plan_count int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO users (id, email, display_name, role, brand_id, password_hash)
  SELECT gen_random_uuid(), 'load-' || n || '@bench.test', 'Load ' || n, role, brand_id, password_hash
  FROM users, generate_series(0, people - 1) n WHERE email = 'sam@demo.test';

  INSERT INTO plans (id, user_id, brand_version_id, name, financial_inputs)
  SELECT gen_random_uuid(), owner.id, sams.brand_version_id, 'Bench ' || n, sams.financial_inputs
  FROM generate_series(0, plan_count - 1) n
  JOIN users owner ON owner.email = 'load-' || (n % people) || '@bench.test',
       (SELECT p.* FROM plans p JOIN users u ON u.id = p.user_id WHERE u.email = 'sam@demo.test' LIMIT 1) sams;
$$;

-- Messages number first … last of a conversation, of about 500 letters each; the person has the odd ones.
CREATE FUNCTION bench_messages(plan uuid, first int, last int) RETURNS jsonb LANGUAGE sql AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'turnId', gen_random_uuid(),
    'role', CASE WHEN i % 2 = 1 THEN 'user' ELSE 'assistant' END,
    'content', (SELECT string_agg(md5(plan::text || i * 17 + word), ' ') FROM generate_series(1, 15) word),
    'extractedValues', null, 'timestamp', '2026-01-01T00:00:00Z') ORDER BY i), '[]')
  FROM generate_series(first, last) i
$$;

-- Every plan has the same conversation, so that it is made once.
CREATE FUNCTION bench_conversations(messages int) RETURNS void LANGUAGE sql AS $$
  DELETE FROM ai_conversations;
  INSERT INTO ai_conversations (id, plan_id, messages, total_tokens_used)
  SELECT gen_random_uuid(), p.id, made.messages, 1000
  FROM plans p, (SELECT bench_messages(gen_random_uuid(), 1, $1) AS messages) made WHERE p.name LIKE 'Bench %';
$$;

CREATE FUNCTION bench_conversation(plan uuid, messages int) RETURNS void LANGUAGE sql AS $$
  UPDATE ai_conversations SET messages = bench_messages($1, 1, $2), updated_at = now() WHERE plan_id = $1;
$$;
