-- The tables that a turn of the peer touches: 20 fields of a brand, a plan of 4 kB, a conversation in one row.

create table users (id text primary key, role text not null);
create table sessions (id text primary key, user_id text not null references users, expires_at timestamptz not null);
create table brands (id text primary key, fields jsonb not null, costs jsonb not null);
create table plans (
  id text primary key, user_id text not null references users, brand_id text not null references brands,
  financial_inputs jsonb not null, updated_at timestamptz not null default now());
create table conversations (
  plan_id text primary key references plans, messages jsonb not null, tokens_used integer not null,
  updated_at timestamptz not null default now());

insert into brands
select 'brand',
  (select jsonb_object_agg(path, jsonb_build_object('label', initcap(replace(path, '.', ' ')), 'value', 1000 + 137 * n,
     'description', 'What franchisees of this brand reported for their second year, by the disclosure document.'))
   from unnest(array['revenue.monthlyAuv', 'revenue.yearOneGrowth', 'revenue.yearTwoGrowth', 'operatingCosts.rentMonthly',
     'operatingCosts.utilitiesMonthly', 'operatingCosts.insuranceMonthly', 'operatingCosts.laborPercent',
     'operatingCosts.cogsPercent', 'operatingCosts.marketingPercent', 'operatingCosts.royaltyPercent',
     'financing.loanAmount', 'financing.interestRate', 'financing.termMonths', 'startup.buildOut', 'startup.equipment',
     'startup.signage', 'startup.inventory', 'startup.workingCapital', 'startup.training', 'startup.permits'])
     with ordinality as field (path, n)),
  (select jsonb_agg(jsonb_build_object('name', cost, 'low', 100000 * n, 'high', 260000 * n))
   from unnest(array['build-out', 'equipment', 'signage', 'inventory', 'working capital', 'training', 'permits', 'deposit'])
     with ordinality as item (cost, n));

create function seed_conversations(history int) returns void language sql as $$
  delete from conversations;
  insert into conversations (plan_id, messages, tokens_used)
  select p.id, made.messages, 1000 from plans p, (
    select jsonb_agg(jsonb_build_object('role', case when i % 2 = 1 then 'user' else 'assistant' end,
      'content', (select string_agg(md5((i * 17 + word)::text), ' ') from generate_series(1, 15) word),
      'extractedValues', null, 'timestamp', '2026-01-01T00:00:00Z') order by i) as messages
    from generate_series(1, history) i) made;
$$;

create function seed_plans(plans int, history int) returns void language sql as $$
  insert into users select 'user-' || n, 'franchisee' from generate_series(0, plans - 1) n;
  insert into sessions select 'session-' || n, 'user-' || n, now() + interval '1 day' from generate_series(0, plans - 1) n;
  insert into plans (id, user_id, brand_id, financial_inputs)
  select 'plan-' || n, 'user-' || n, 'brand', made.inputs from generate_series(0, plans - 1) n, (
    select jsonb_object_agg(path, jsonb_build_object('currentValue', field -> 'value', 'source', 'brand_default',
      'brandDefault', field -> 'value', 'range', jsonb_build_object('low', 100, 'high', 900000),
      'lastModifiedAt', null, 'isCustom', false)) as inputs
    from brands, jsonb_each(fields) as entry (path, field)) made;
  select seed_conversations(history);
$$;
