#!/usr/bin/env bash
# All tests, against the database server in TEST_DATABASE_URL. Called by `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."

# One build for all: the fault campaign needs the places where it breaks things, which do nothing unless they are asked to.
places=(--features failpoints)
if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --locked "${places[@]}"
else
  cargo test --locked --all-targets "${places[@]}"
fi
cargo test --locked --doc "${places[@]}"
cargo test --locked "${places[@]}" --test campaign -- --short
FUZZ_SECONDS=5 scripts/fuzz.sh --fresh

if [ "${WEB:-1}" = 0 ]; then
  echo "The page's tests were left out (WEB=0)."
  exit 0
fi
cargo build --locked "${places[@]}"
target=$(cargo metadata --format-version 1 --no-deps --offline | sed -E 's/.*"target_directory":"([^"]*)".*/\1/')
database="web_$$"
psql "$TEST_DATABASE_URL" --no-psqlrc -qc "create database $database"
PLAN_ADVISOR_BIN="$target/debug/plan-advisor" DATABASE_URL="${TEST_DATABASE_URL%/*}/$database" \
  scripts/with-node.sh tests/web/run.sh
