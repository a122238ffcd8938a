#!/usr/bin/env bash
# Makes PLAN_COUNT plans with HISTORY messages and writes PLANS_FILE: one line per plan, plan id and cookie.
# Given besides the server's environment: BASE_URL PLAN_COUNT HISTORY PLANS_FILE SERVER_BIN
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
psql=$(command -v psql || ls -d /usr/lib/postgresql/*/bin/psql | tail -1)
"$SERVER_BIN" seed
"$psql" -Xq -v ON_ERROR_STOP=1 -v plans="$PLAN_COUNT" -v history="$HISTORY" -d "$DATABASE_URL" -f "$here/seed.sql"
cookie=$(curl -sSi "$BASE_URL/api/auth/login" -H 'content-type: application/json' \
  -d '{"email":"sam@demo.test","password":"demo-password-1"}' | sed -n 's/^set-cookie: \([^;]*\);.*/\1/Ip')
"$psql" -XqAt -d "$DATABASE_URL" -c "select id from plans where name like 'Bench %' order by id" |
  sed "s|\$|\t$cookie|" >"$PLANS_FILE"
