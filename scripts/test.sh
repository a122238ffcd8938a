#!/usr/bin/env bash
# All tests, against the database server in TEST_DATABASE_URL. Called by `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."

# Python bytecode would be left beside the sources.
python3 -B tests/oracle/check.py

# One build for all tests: the fault campaign needs the failpoints, which do nothing unless they are configured.
features=(--features failpoints)
if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --locked "${features[@]}"
else
  cargo test --locked --all-targets "${features[@]}"
fi
cargo test --locked --doc "${features[@]}"
# The typesetter is a build of its own: 175 crates that nothing else needs.
cargo test --locked --package plan-documents --features typst
cargo test --locked "${features[@]}" --test campaign -- --short
FUZZ_SECONDS=5 scripts/fuzz.sh --fresh

if [ "${WEB:-1}" = 0 ]; then
  echo "Skipped the page's tests (WEB=0)."
  exit 0
fi
# The integration tests have built the program. To build it alone resolves the features of shared crates anew: two minutes more.
target=$(cargo metadata --format-version 1 --no-deps --offline | sed -E 's/.*"target_directory":"([^"]*)".*/\1/')
database="web_$$"
psql "$TEST_DATABASE_URL" --no-psqlrc -qc "create database $database"
PLAN_ADVISOR_BIN="$target/debug/plan-advisor" DATABASE_URL="${TEST_DATABASE_URL%/*}/$database" \
  scripts/with-node.sh tests/web/run.sh
PLAN_ADVISOR_BIN="$target/debug/plan-advisor" scripts/with-node.sh scripts/clients.sh
identity="identity_$$"
psql "$TEST_DATABASE_URL" --no-psqlrc -qc "create database $identity"
# oidc-provider wants Node.js 22.
PLAN_ADVISOR_BIN="$target/debug/plan-advisor" DATABASE_URL="${TEST_DATABASE_URL%/*}/$identity" \
  NODE_MAJOR=22 scripts/with-node.sh tests/identity/run.sh
