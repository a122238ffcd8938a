-- psql -v plans=… -v history=…: plans of one person, each with a conversation.
insert into plans (id, user_id, brand_version_id, name, financial_inputs)
select gen_random_uuid(), p.user_id, p.brand_version_id, 'Bench ' || n, p.financial_inputs
from generate_series(1, :plans) n,
     (select p.* from plans p join users u on u.id = p.user_id where u.email = 'sam@demo.test' limit 1) p;

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
