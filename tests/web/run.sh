#!/usr/bin/env bash
# The page's tests: units in Node, then flows in headless Chromium against real servers.
#
#   PLAN_ADVISOR_BIN  the server to test
#   DATABASE_URL      an empty database; it is migrated and gets the demo data
#   CHROMIUM          the browser, where it is not in the PATH
#   SCREENSHOTS_DIR   where pictures of the main states go; target/screenshots by default
#   FLOWS             only these, for example message,undo; all, in two halves at once, by default
#   SLOW_API_MS       delays every request to the API; with SLOW_CPU it shows what reads before it is loaded
#   SLOW_CPU          how many times longer the page's scripts take
#
# Whatever is started here is stopped at the end, however that comes.
set -euo pipefail
cd "$(dirname "$0")"
: "${PLAN_ADVISOR_BIN:?set it to the server binary}"
: "${DATABASE_URL:?set it to an empty database}"

logs=$(mktemp -d)
started=()
finish() {
  status=$?
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
  if [ "$status" -ne 0 ]; then tail -n 40 "$logs"/*.log >&2 2>/dev/null || true; fi
  rm -rf "$logs"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

if [ -z "${PORTS:-}" ]; then
  cmp -s package-lock.json node_modules/.installed ||
  { npm ci --no-audit --no-fund --loglevel=error && cp package-lock.json node_modules/.installed; }
  node --test unit/*.test.js
  mapfile -t ports < <(node -e '
    const { createServer } = require("node:net");
    const servers = Array.from({ length: 6 }, () => createServer().listen(0, "127.0.0.1"));
    Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve)))).then(() => {
      for (const server of servers) { console.log(server.address().port); server.close(); }
    });')
fi
if [ -z "${FLOWS:-}${PORTS:-}" ]; then
  # A flow mostly waits: one after the other they take eight minutes. Each half has a browser, servers and a database of its own.
  psql "$DATABASE_URL" --no-psqlrc -qc "create database \"$(basename "$DATABASE_URL")_odd\""
  HALF=1 PORTS="${ports[*]:3}" DATABASE_URL="${DATABASE_URL}_odd" ./run.sh >"$logs/odd.log" 2>&1 & started+=("$!")
  status=0
  HALF=0 PORTS="${ports[*]:0:3}" ./run.sh || status=1
  wait "${started[0]}" || status=1
  cat "$logs/odd.log"
  exit "$status"
fi
read -r mocked offline model <<<"${PORTS:-${ports[*]:0:3}}"

# Tests sign in and talk faster than any person: the limits have tests of their own.
export RATE_LIMIT_TURNS_PER_MINUTE=0 RATE_LIMIT_RUNNING_TURNS_PER_USER=0 RATE_LIMIT_STREAMS_PER_USER=0 RATE_LIMIT_WRITES_PER_MINUTE=0 RATE_LIMIT_READS_PER_MINUTE=0 RATE_LIMIT_LOGINS_PER_15_MINUTES=0 RATE_LIMIT_FAILED_LOGINS_PER_ADDRESS_PER_15_MINUTES=0
export ALLOW_DEMO_LOGINS=true
unset LLM_API_KEY OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY AZURE_OPENAI_API_KEY AZURE_OPENAI_ENDPOINT OLLAMA_HOST LLM_BASE_URL LLM_PROVIDER

# serve NAME PORT [VARIABLE=VALUE...] [ARGUMENT...]: starts a server and waits until it is ready.
serve() {
  local name=$1 port=$2
  shift 2
  env BIND_ADDR="127.0.0.1:$port" "$@" >"$logs/$name.log" 2>&1 &
  local pid=$!
  started+=("$pid")
  until "$PLAN_ADVISOR_BIN" health --bind-addr "127.0.0.1:$port" 2>/dev/null; do
    kill -0 "$pid" 2>/dev/null || { echo "The server '$name' did not start." >&2; return 1; }
    sleep 0.1
  done
}

serve mocked "$mocked" MCP=on LLM_BASE_URL="http://127.0.0.1:$model/v1" LLM_MODEL=mock "$PLAN_ADVISOR_BIN" serve --migrate
"$PLAN_ADVISOR_BIN" seed >"$logs/seed.log" 2>&1
serve offline "$offline" LLM_PROVIDER=offline "$PLAN_ADVISOR_BIN" serve

BASE_URL="http://127.0.0.1:$mocked" OFFLINE_BASE_URL="http://127.0.0.1:$offline" MOCK_LLM_PORT=$model node --test browser/page.test.js
