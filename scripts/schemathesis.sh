#!/usr/bin/env bash
# Tests every operation of openapi.yaml with valid and invalid data against a running server: no 5xx, no undocumented
# status, header or body, no invalid data accepted, no access without a session.
#
#   scripts/with-test-postgres.sh scripts/schemathesis.sh [ARGUMENT OF schemathesis…]
#
# As a franchisee, as a brand's administrator and as a platform administrator. SCHEMATHESIS_SEED repeats a run,
# SCHEMATHESIS_MAX_EXAMPLES (default 40) bounds the requests for each operation.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${TEST_DATABASE_URL:?run this through scripts/with-test-postgres.sh}"

seed=${SCHEMATHESIS_SEED:-$((RANDOM * 32768 + RANDOM))}
examples=${SCHEMATHESIS_MAX_EXAMPLES:-40}
target=$(cargo metadata --format-version 1 --no-deps --offline | sed -E 's/.*"target_directory":"([^"]*)".*/\1/')
venv="$target/schemathesis/venv"
reports="$target/schemathesis"
requirements=tests/schemathesis/requirements.txt

if ! cmp --silent "$requirements" "$venv/installed.txt"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$requirements"
  cp "$requirements" "$venv/installed.txt"
fi
cargo build --locked --quiet

database="schemathesis_$$"
psql "$TEST_DATABASE_URL" --no-psqlrc -qc "create database $database"
export DATABASE_URL="${TEST_DATABASE_URL%/*}/$database"
server=
finish() {
  status=$?
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
# Limits have their own tests. `on` gives the cookie the name that the document has.
export RATE_LIMIT_TURNS_PER_MINUTE=0 RATE_LIMIT_RUNNING_TURNS_PER_USER=0 RATE_LIMIT_STREAMS_PER_USER=0 RATE_LIMIT_WRITES_PER_MINUTE=0 RATE_LIMIT_READS_PER_MINUTE=0
export RATE_LIMIT_LOGINS_PER_15_MINUTES=0 RATE_LIMIT_FAILED_LOGINS_PER_ADDRESS_PER_15_MINUTES=0 SESSION_SECURE_COOKIE=on LLM_PROVIDER=offline ALLOW_DEMO_LOGINS=true BIND_ADDR="127.0.0.1:$port"
"$target/debug/plan-advisor" migrate >/dev/null
"$target/debug/plan-advisor" serve >"$reports/server.log" 2>&1 &
server=$!
url="http://127.0.0.1:$port"
until python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=5)' "$url/readyz" 2>/dev/null; do
  kill -0 "$server" 2>/dev/null || { tail -n 20 "$reports/server.log" >&2; exit 1; }
  sleep 0.1
done

echo "Seed $seed, $examples examples for each operation (repeat: SCHEMATHESIS_SEED=$seed)"
failed=()
for login in riley@demo.test morgan@demo.test admin@demo.test; do
  printf '\n=== as %s\n' "$login"
  # Restores what the previous run deleted.
  "$target/debug/plan-advisor" seed >/dev/null
  SCHEMATHESIS_LOGIN=$login "$venv/bin/st" --config-file tests/schemathesis/schemathesis.toml run openapi.yaml \
    --url "$url" --seed "$seed" --max-examples "$examples" --no-color "$@" >"$reports/$login.txt" 2>&1 || failed+=("$login")
  if [[ " ${failed[*]} " == *" $login "* ]]; then
    sed -n '/= FAILURES =/,$p' "$reports/$login.txt"
  else
    tail -n 25 "$reports/$login.txt"
  fi
done
if ! kill -0 "$server" 2>/dev/null || grep -E 'panicked|"level":"ERROR"| ERROR ' "$reports/server.log"; then
  echo "The server failed; its log: $reports/server.log" >&2
  exit 1
fi
[ ${#failed[@]} = 0 ] || { echo "FAILED as ${failed[*]}; whole output in $reports" >&2; exit 1; }
