#!/usr/bin/env bash
# Published chat clients against a server of this source, on the database server in TEST_DATABASE_URL. Called by
# `make clients` (with `all`) and `make test`.
#
#   PLAN_ADVISOR_BIN  the server to test; built where it is not given
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${PLAN_ADVISOR_BIN:-}" ]; then
  cargo build --locked
  target=$(cargo metadata --format-version 1 --no-deps --offline | sed -E 's/.*"target_directory":"([^"]*)".*/\1/')
  PLAN_ADVISOR_BIN="$target/debug/plan-advisor"
fi
export PLAN_ADVISOR_BIN
database="clients_$$"
psql "$TEST_DATABASE_URL" --no-psqlrc -qc "create database $database"
DATABASE_URL="${TEST_DATABASE_URL%/*}/$database" tests/clients/run.sh "$@"
