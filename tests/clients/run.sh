#!/usr/bin/env bash
# Published clients against a running server.
#
#   run.sh      what Node.js 20 runs: ai 5 and 6, AG-UI's client, the types of ag-ui-protocol, the clients of the Model Context Protocol
#   run.sh all  ai 7 and the conformance suite of that protocol too, which need Node.js 22, and the pages of examples/ in Chromium
#
#   PLAN_ADVISOR_BIN  the server to test
#   DATABASE_URL      an empty database; it is migrated and gets the demo data
#   CHROMIUM          the browser, /usr/bin/chromium by default
#
# Whatever is started here is stopped at the end, however that comes.
set -euo pipefail
cd "$(dirname "$0")"
: "${PLAN_ADVISOR_BIN:?set it to the server binary}"
: "${DATABASE_URL:?set it to an empty database}"

tests=(ai-sdk.test.js ag-ui.test.js ag-ui-python.test.js mcp.test.js) versions="5 6"
if [ "${1:-}" = all ]; then
  tests+=(mcp-conformance.test.js examples.test.js) versions="5 6 7"
fi

logs=$(mktemp -d)
server=
finish() {
  status=$?
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  if [ "$status" -ne 0 ]; then tail -n 40 "$logs"/*.log >&2 2>/dev/null || true; fi
  rm -rf "$logs"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

# Anew where the lists are not those of what is installed.
cmp -s package-lock.json node_modules/.installed ||
  { npm ci --no-audit --no-fund --loglevel=error && cp package-lock.json node_modules/.installed; }
if [ "${1:-}" = all ] && ! [ -d ../../examples/node_modules/ai ]; then
  (cd ../../examples && npm ci --no-audit --no-fund --loglevel=error)
fi
python=.venv/bin/python
cmp -s requirements.txt .venv/installed ||
  { python3 -m venv .venv && "$python" -m pip install --quiet --require-virtualenv -r requirements.txt && cp requirements.txt .venv/installed; }

read -r port model < <(node -e '
  const { createServer } = require("node:net");
  const servers = [0, 0].map((port) => createServer().listen(port, "127.0.0.1"));
  Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve)))).then(() => {
    console.log(servers.map((server) => server.address().port).join(" "));
    for (const server of servers) server.close();
  });')

# Tests sign in and talk faster than any person: the limits have tests of their own.
export RATE_LIMIT_TURNS_PER_MINUTE=0 RATE_LIMIT_RUNNING_TURNS_PER_USER=0 RATE_LIMIT_STREAMS_PER_USER=0 RATE_LIMIT_LOGINS_PER_15_MINUTES=0 RATE_LIMIT_FAILED_LOGINS_PER_ADDRESS_PER_15_MINUTES=0
export LLM_REVIEW=off ALLOW_DEMO_LOGINS=true MCP=on
unset LLM_API_KEY OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY AZURE_OPENAI_API_KEY AZURE_OPENAI_ENDPOINT OLLAMA_HOST LLM_PROVIDER
"$PLAN_ADVISOR_BIN" migrate >"$logs/migrate.log" 2>&1
"$PLAN_ADVISOR_BIN" seed >"$logs/seed.log" 2>&1
env BIND_ADDR="127.0.0.1:$port" LLM_BASE_URL="http://127.0.0.1:$model/v1" LLM_MODEL=mock "$PLAN_ADVISOR_BIN" serve >"$logs/serve.log" 2>&1 &
server=$!
until "$PLAN_ADVISOR_BIN" health --bind-addr "127.0.0.1:$port" 2>/dev/null; do
  kill -0 "$server" 2>/dev/null || { echo "The server did not start." >&2; exit 1; }
  sleep 0.1
done

export BASE_URL="http://127.0.0.1:$port" MOCK_LLM_PORT=$model AI_SDK_VERSIONS=$versions PYTHON=$PWD/$python
# One file at a time: they share the scripted model.
node --test --test-concurrency=1 "${tests[@]}"
