#!/usr/bin/env bash
# Creates PLAN_COUNT users, each with a plan and HISTORY messages, and writes PLANS_FILE: plan id and cookie per line.
# Environment besides the server's: BASE_URL PLAN_COUNT HISTORY PLANS_FILE SERVER_BIN
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
psql=$(command -v psql || ls -d /usr/lib/postgresql/*/bin/psql | tail -1)
"$SERVER_BIN" seed
"$psql" -Xq -v ON_ERROR_STOP=1 -v plans="$PLAN_COUNT" -v history="$HISTORY" -d "$DATABASE_URL" -f "$here/seed.sql"
name=$(curl -sSi "$BASE_URL/api/auth/login" -H 'content-type: application/json' \
  -d '{"email":"sam@demo.test","password":"demo-password-1"}' | sed -n 's/^set-cookie: \([^=]*session\)=.*/\1/Ip')
"$psql" -XqAt -F $'\t' -v name="$name" -d "$DATABASE_URL" >"$PLANS_FILE" \
  <<<"select plan_id, :'name' || '=' || bench_cookie(id) from bench_sessions order by plan_id"
