#!/usr/bin/env bash
# All tests, against the database server in TEST_DATABASE_URL. Called by `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."

if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --locked
else
  cargo test --locked --all-targets
fi
cargo test --locked --doc
FUZZ_SECONDS=5 scripts/fuzz.sh --fresh

if [ "${WEB:-1}" = 0 ]; then
  echo "The page's tests were left out (WEB=0)."
  exit 0
fi
cargo build --locked
target=$(cargo metadata --format-version 1 --no-deps --offline | sed -E 's/.*"target_directory":"([^"]*)".*/\1/')
database="web_$$"
psql "$TEST_DATABASE_URL" --no-psqlrc -qc "create database $database"
PLAN_ADVISOR_BIN="$target/debug/plan-advisor" DATABASE_URL="${TEST_DATABASE_URL%/*}/$database" \
  scripts/with-node.sh tests/web/run.sh
