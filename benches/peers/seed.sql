-- psql -v plans=… -v history=…: creates a logged-in franchisee with a conversation for each plan.
insert into users (id, email, display_name, role, brand_id, password_hash)
select gen_random_uuid(), 'bench-' || n || '@bench.test', 'Bench ' || n, sam.role, sam.brand_id, sam.password_hash
from generate_series(1, :plans) n, users sam where sam.email = 'sam@demo.test';

insert into plans (id, user_id, brand_version_id, name, financial_inputs)
select gen_random_uuid(), u.id, sams.brand_version_id, u.display_name, sams.financial_inputs
from users u, (select p.* from plans p join users u on u.id = p.user_id where u.email = 'sam@demo.test' limit 1) sams
where u.email like 'bench-%';

update users u set active_plan_id = p.id from plans p where p.user_id = u.id and p.name like 'Bench %';

-- 5,000 logins would take minutes of hashing. A cookie holds the session's id, the table its SHA-256.
create table bench_sessions as
select u.active_plan_id as plan_id, u.id as user_id, decode(md5(random()::text || u.id::text), 'hex') as id
from users u where u.email like 'bench-%';
insert into sessions (id, user_id, data, expires_at)
select sha256(id), user_id,
  jsonb_build_object('user_id', user_id, 'logged_in_at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
  now() + interval '1 day'
from bench_sessions;

-- The id's bytes in the cookie's order: the other way round, in base64 for addresses.
create or replace function bench_cookie(id bytea) returns text language sql as $$
  select translate(encode(decode(string_agg(substr(encode(id, 'hex'), 31 - 2 * i, 2), '' order by i), 'hex'), 'base64'), '+/=', '-_')
  from generate_series(0, 15) i
$$;

create or replace function bench_conversations(history int) returns void language sql as $$
  delete from ai_conversations c using plans p where p.id = c.plan_id and p.name like 'Bench %';
  insert into ai_conversations (id, plan_id, messages, total_tokens_used)
  select gen_random_uuid(), p.id,
    (select coalesce(jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'turnId', gen_random_uuid(),
       'role', case when i % 2 = 1 then 'user' else 'assistant' end,
       'content', (select string_agg(md5((p.id::text || i * 17 + w)), ' ') from generate_series(1, 15) w),
       'extractedValues', null, 'timestamp', '2026-01-01T00:00:00Z') order by i), '[]'::jsonb)
     from generate_series(1, history) i), 1000
  from plans p where p.name like 'Bench %';
$$;
select bench_conversations(:history);
vacuum analyze;
