#!/usr/bin/env bash
# Measures in plain SQL what a turn's row costs PostgreSQL, for five ways to keep running turns:
#
#   scripts/turn-rows.sh [TURNS] [RENEWALS]     # default 20,000 turns, 2 renewals of each lease; about five minutes
#
# twice        the row in `prompts`, its ending with the answer's text again, as it was stored once
# lease-index  without it, but with an index of the leases, as it was before
# today        without that index, and with room in the pages for renewed leases
# beside       lease, owner and fence in a small table beside it
# apart        the running turn wholly in a small table; `prompts` gets its row at the end
#
# PLAN_ADVISOR names another binary than target/debug/plan-advisor; it makes the schema.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -z "${TEST_DATABASE_URL:-}" ]; then
  exec scripts/with-test-postgres.sh --durable "$0" "$@"
fi
turns=${1:-20000}
renewals=${2:-2}
binary=${PLAN_ADVISOR:-target/debug/plan-advisor}
server=$TEST_DATABASE_URL
export DATABASE_URL="${server%/postgres}/turn_rows"
sql() { psql -qXAt -v ON_ERROR_STOP=1 "$@"; }
# No autovacuum, so that dead rows are counted; no checkpoint but ours, so that full pages are written when we say.
sql "$server" >/dev/null <<SQL
ALTER SYSTEM SET autovacuum = off;
ALTER SYSTEM SET checkpoint_timeout = '1h';
ALTER SYSTEM SET max_wal_size = '20GB';
ALTER SYSTEM SET synchronous_commit = off;
SELECT pg_reload_conf();
SQL

prepare() {
  sql "$server" -c "SET client_min_messages = error" -c "DROP DATABASE IF EXISTS turn_rows WITH (FORCE)" -c "CREATE DATABASE turn_rows"
  "$binary" migrate >/dev/null 2>&1
  "$binary" seed >/dev/null 2>&1
  case $1 in
    twice | lease-index)
      sql "$DATABASE_URL" -c 'ALTER TABLE prompts RESET (fillfactor)' \
        -c "CREATE INDEX prompts_lease ON prompts (lease_until) WHERE state = 'running'"
      ;;
  esac
  sql "$DATABASE_URL" -v turns="$turns" -f scripts/turn-rows.sql
}

# The columns of the result: WAL and full pages per turn for the first tenth behind a checkpoint and for the rest.
run() {
  local way=$1
  prepare "$way"
  sql "$DATABASE_URL" -c "SELECT prepare('$way')" >/dev/null
  sql "$DATABASE_URL" -c 'VACUUM ANALYZE' -c 'CHECKPOINT' -c "SELECT pg_stat_reset_shared('wal')" -c 'SELECT pg_stat_reset()' >/dev/null
  sql "$DATABASE_URL" -c "CALL run('$way', $((turns / 10)), $renewals)" -c 'SELECT pg_stat_force_next_flush()' >/dev/null
  local first
  first=$(sql -F ' ' "$DATABASE_URL" -c "SELECT wal_bytes, wal_fpi FROM pg_stat_wal")
  # CPU time of the connection alone: waiting, the disk and other programs on the machine do not count.
  local ticks
  ticks=$(sql "$DATABASE_URL" <<SQL
SELECT pg_backend_pid() AS pid \gset
\setenv PID :pid
CALL run('$way', $((turns - turns / 10)), $renewals);
SELECT pg_stat_force_next_flush() \gset
\! awk '{ print \$14 + \$15 }' "/proc/\$PID/stat"
SQL
  )
  sql -F '	' "$DATABASE_URL" -c "
    SELECT '$way', round((${first% *}) / ($turns / 10)), round((wal_bytes - ${first% *}) / ($turns * 0.9)),
      round((${first#* })::numeric / ($turns / 10), 2), round((wal_fpi - ${first#* }) / ($turns * 0.9), 2),
      round($ticks * 1e6 / $(getconf CLK_TCK) / ($turns * 0.9)),
      (SELECT sum(n_tup_upd) FROM pg_stat_user_tables WHERE relname IN ('prompts', 'running_turns')),
      (SELECT sum(n_tup_hot_upd) FROM pg_stat_user_tables WHERE relname IN ('prompts', 'running_turns')),
      (SELECT sum(n_dead_tup) FROM pg_stat_user_tables WHERE relname IN ('prompts', 'running_turns')),
      pg_size_pretty(pg_table_size('prompts') + coalesce(pg_table_size(to_regclass('running_turns')), 0)),
      pg_size_pretty(pg_indexes_size('prompts') + coalesce(pg_indexes_size(to_regclass('running_turns')), 0))
    FROM pg_stat_wal"
}

echo "way	WAL after a checkpoint	WAL	full pages after a checkpoint	full pages	CPU (µs)	updates	of them HOT	dead rows	tables	indexes"
for way in ${WAYS:-twice lease-index today beside apart}; do
  run "$way"
  sql "$DATABASE_URL" -c "SELECT '$way: mean row ' || round(avg(pg_column_size(p.*))) || ' bytes, ending ' || round(avg(pg_column_size(ending))) || ', output '
  || round(avg(pg_column_size(output))) FROM prompts p WHERE ending IS NOT NULL"
done
