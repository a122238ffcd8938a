#!/usr/bin/env bash
# Makes PLAN_COUNT people with a plan of HISTORY messages each and writes PLANS_FILE: one line per plan, plan id and cookie.
# Given besides the server's environment: BASE_URL PLAN_COUNT HISTORY PLANS_FILE SERVER_BIN
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
psql=$(command -v psql || ls -d /usr/lib/postgresql/*/bin/psql | tail -1)
"$SERVER_BIN" seed
"$psql" -Xq -v ON_ERROR_STOP=1 -v plans="$PLAN_COUNT" -v history="$HISTORY" -d "$DATABASE_URL" -f "$here/seed.sql"
name=$(curl -sSi "$BASE_URL/api/auth/login" -H 'content-type: application/json' \
  -d '{"email":"sam@demo.test","password":"demo-password-1"}' | sed -n 's/^set-cookie: \([^=]*\)=.*/\1/Ip')
"$psql" -XqAt -F $'\t' -v name="$name" -d "$DATABASE_URL" >"$PLANS_FILE" \
  <<<"select plan_id, :'name' || '=' || bench_cookie(id) from bench_sessions order by plan_id"
