#!/usr/bin/env bash
# Measures what stored turns take, and how long the list endpoints need with many of them:
#
#   scripts/growth.sh [TURNS]      # default 1,500,000, which takes about 7 GB below /tmp until the end
#
# A temporary PostgreSQL, `serve` with the offline advisor, real turns as a pattern, and copies of them with their own ids.
# PLAN_ADVISOR names another binary than target/debug/plan-advisor.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -z "${TEST_DATABASE_URL:-}" ]; then
  exec scripts/with-test-postgres.sh "$0" "$@"
fi
turns=${1:-1500000}
binary=${PLAN_ADVISOR:-target/debug/plan-advisor}
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; psql -qX "$TEST_DATABASE_URL" -c "DROP DATABASE IF EXISTS growth WITH (FORCE)"; rm -rf "$work"' EXIT

psql -qX "$TEST_DATABASE_URL" -c 'CREATE DATABASE growth'
export DATABASE_URL="${TEST_DATABASE_URL%/postgres}/growth"
sql() { psql -qXAt -v ON_ERROR_STOP=1 "$DATABASE_URL" "$@"; }
"$binary" migrate >/dev/null 2>&1
"$binary" seed >/dev/null 2>&1

port=$((20000 + RANDOM % 20000))
address=http://127.0.0.1:$port
ALLOW_DEMO_LOGINS=true BIND_ADDR=127.0.0.1:$port LLM_PROVIDER=offline RUST_LOG=error RATE_LIMIT_TURNS_PER_MINUTE=0 "$binary" serve >"$work/log" 2>&1 &
server=$!
until curl -fs "$address/readyz" >/dev/null; do sleep 0.2; done

login() {
  curl -fs -c "$work/$1" -H 'Content-Type: application/json' -d "{\"email\":\"$1@demo.test\",\"password\":\"demo-password-1\"}" \
    "$address/api/auth/login" >/dev/null
}
login sam
login admin
plan=$(sql -c "SELECT p.id FROM plans p JOIN users u ON u.id = p.user_id WHERE u.email = 'sam@demo.test'")
say() {
  curl -fs -b "$work/sam" -H 'Content-Type: application/json' -d "{\"message\":\"$1\"}" "$address/api/plans/$plan/conversation" >/dev/null
}
for n in $(seq 10); do
  say "My rent is \$$((4000 + n * 10)) a month"
  say "What does my plan look like now?"
  say "Thank you, that helps a lot"
  say "How is my cash flow in the first year?"
done

echo "Rows of $(sql -c 'SELECT count(*) FROM prompts') turns of the offline advisor, mean bytes per turn:"
sql -F '	' -c "
  SELECT 'prompts', round(avg(pg_column_size(p.*))), 'of them ending', round(avg(pg_column_size(p.ending))), 'output', round(avg(pg_column_size(p.output))) FROM prompts p
  UNION ALL SELECT 'conversation', (SELECT sum(pg_column_size(messages)) FROM (SELECT messages FROM ai_conversations UNION ALL SELECT message FROM ai_conversation_archive) m)
    / (SELECT count(*) FROM prompts), '', NULL, '', NULL
  UNION ALL SELECT 'extractions', (SELECT sum(pg_column_size(e.*)) FROM extractions e) / (SELECT count(*) FROM prompts), '', NULL, '', NULL
  UNION ALL SELECT 'plan_changes', (SELECT coalesce(sum(pg_column_size(c.*)), 0) FROM plan_changes c WHERE turn_id IS NOT NULL) / (SELECT count(*) FROM prompts), '', NULL, '', NULL"

# Of 20,000 people with a plan each; every twentieth turn is Sam's.
sql <<SQL
SET synchronous_commit = off;
INSERT INTO users (id, email, display_name, role, password_hash)
SELECT gen_random_uuid(), 'user' || n || '@growth.test', 'User ' || n, 'franchisee', 'x' FROM generate_series(1, 20000) n;
INSERT INTO plans (id, user_id, brand_version_id, name, financial_inputs)
SELECT gen_random_uuid(), u.id, p.brand_version_id, 'Plan of ' || u.display_name, p.financial_inputs
FROM users u, (SELECT * FROM plans WHERE id = '$plan') p WHERE u.email LIKE '%@growth.test';
CREATE TEMP TABLE owner AS SELECT row_number() OVER () - 1 AS n, id AS plan_id, user_id FROM plans WHERE name LIKE 'Plan of%';
CREATE TEMP TABLE pattern AS SELECT row_number() OVER () - 1 AS n, p.* FROM prompts p;
CREATE INDEX ON owner (n);
CREATE INDEX ON pattern (n);
INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, output, prompt_tokens, completion_tokens, total_tokens,
    usage_estimated, ending, error_code, fingerprint, owner, lease_until, created_at, completed_at)
SELECT gen_random_uuid(), o.plan_id, o.user_id, o.user_id, p.model, CASE WHEN g.n % 50 = 7 THEN 'failed' ELSE 'completed' END,
    p.input || ' ' || g.n, p.output || ' ' || g.n, 1000, 100, 1100, true, p.ending || jsonb_build_object('n', g.n), NULL, p.fingerprint, p.owner, now(),
    now() - ($turns - g.n) * interval '10 seconds', now() - ($turns - g.n) * interval '10 seconds'
FROM generate_series(1, $turns) g (n)
JOIN pattern p ON p.n = g.n % 40
JOIN (SELECT n, plan_id, user_id FROM owner UNION ALL SELECT -1, id, user_id FROM plans WHERE id = '$plan') o
    ON o.n = CASE WHEN g.n % 20 = 0 THEN -1 ELSE g.n % 20000 END;
INSERT INTO extractions (id, plan_id, turn_id, field, status, confidence, value, details, settled_at)
SELECT gen_random_uuid(), '$plan', e.turn_id, e.field, 'accepted', e.confidence, e.value, e.details, now()
FROM (SELECT * FROM extractions LIMIT 1) e, generate_series(1, 5000);
VACUUM ANALYZE;
CHECKPOINT;
SQL
echo
echo "$turns more turns: table $(sql -c "SELECT pg_size_pretty(pg_table_size('prompts'))"), indexes $(sql -c "SELECT pg_size_pretty(pg_indexes_size('prompts'))"), $(sql -c "SELECT pg_total_relation_size('prompts') / count(*) FROM prompts") bytes a turn"
sql -F '	' -c "SELECT indexrelname, pg_size_pretty(pg_relation_size(indexrelid)) FROM pg_stat_user_indexes WHERE relname = 'prompts' ORDER BY pg_relation_size(indexrelid) DESC"

# The fastest and the median of eleven requests, in milliseconds.
measure() {
  local path=$2
  for _ in 1 2 3 4 5 6 7 8 9 10 11; do
    curl -s -o "$work/body" -w '%{time_total} %{http_code}\n' -b "$work/$1" "$address$path"
  done | sort -n | awk -v who="$1" -v path="$path" 'NR == 1 { first = $1 } NR == 6 { printf "%7.1f %7.1f ms  %s  %s %s\n", first * 1000, $1 * 1000, $2, who, path }'
}
far=$(sql -c "SELECT id FROM prompts ORDER BY created_at, id OFFSET 500000 LIMIT 1")
own=$(sql -c "SELECT id FROM prompts WHERE plan_id = '$plan' ORDER BY created_at, id OFFSET 5000 LIMIT 1")
message=$(curl -fs -b "$work/sam" "$address/api/plans/$plan/conversation?limit=10" | sed -E 's/.*"nextBefore":"([^"]*)".*/\1/')
echo
measure sam /api/me/active-plan
for query in '' '?limit=1' '?state=failed' '?state=completed' '?state=running' '?offset=10000' "?cursor=$far" '?limit=100' "?planId=$plan" '?before=2026-01-01T00:00:00Z'; do
  measure admin "/api/prompts$query"
done
for query in '' '?state=failed' '?offset=10000' "?cursor=$own"; do
  measure sam "/api/prompts$query"
done
measure admin /api/plans
measure admin '/api/plans?limit=50'
measure sam /api/plans
measure admin '/api/admin/users?email=user1999'
measure admin '/api/admin/users?email=growth'
measure sam "/api/plans/$plan/changes"
measure sam "/api/plans/$plan/conversation"
measure sam "/api/plans/$plan/conversation?limit=2"
measure sam "/api/plans/$plan/conversation?limit=10&before=$message"
