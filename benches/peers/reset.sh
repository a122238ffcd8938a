#!/usr/bin/env bash
# Resets the conversations before each slot.
set -euo pipefail
psql=$(command -v psql || ls -d /usr/lib/postgresql/*/bin/psql | tail -1)
"$psql" -Xq -v ON_ERROR_STOP=1 -d "$DATABASE_URL" -c "select bench_conversations($HISTORY)"
