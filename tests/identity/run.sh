#!/usr/bin/env bash
# Single sign-on through real identity providers: npm's oidc-provider in headless Chromium, and one that Authlib signs for.
#
#   PLAN_ADVISOR_BIN  the server to test
#   DATABASE_URL      an empty database; it is migrated and gets the demo data
#   CHROMIUM          the browser, where it is not in the PATH
#
# Whatever is started here is stopped at the end, however that comes. The servers log at TRACE, where no secret may stand.
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
  if [ "$status" -ne 0 ]; then
    tail -n 20 "$logs"/*provider.log >&2 2>/dev/null || true
    grep -hE "Single sign-on|logout token|ERROR" "$logs"/server-*.log | tail -n 20 >&2 || true
  fi
  rm -rf "$logs"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

cmp -s package-lock.json node_modules/.installed ||
  { npm ci --no-audit --no-fund --loglevel=error && cp package-lock.json node_modules/.installed; }
python=.venv/bin/python
[ -x "$python" ] || { python3 -m venv .venv && "$python" -m pip install --quiet --require-virtualenv --disable-pip-version-check -r requirements.txt; }

read -r first second provider signing < <(node -e '
  const { createServer } = require("node:net");
  const servers = [0, 0, 0, 0].map((port) => createServer().listen(port, "127.0.0.1"));
  Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve)))).then(() => {
    console.log(servers.map((server) => server.address().port).join(" "));
    for (const server of servers) server.close();
  });')

export OIDC_CLIENT_ID=plans OIDC_CLIENT_SECRET="identity-tests-$RANDOM$RANDOM$RANDOM/+"
unset LLM_API_KEY OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY AZURE_OPENAI_API_KEY AZURE_OPENAI_ENDPOINT OLLAMA_HOST LLM_BASE_URL
export LLM_PROVIDER=offline

# begin NAME COMMAND...: in the background, its output in a file.
begin() {
  local name=$1
  shift
  "$@" >"$logs/$name.log" 2>&1 &
  started+=("$!")
}

# until_answers URL
until_answers() {
  for _ in $(seq 100); do
    curl --silent --fail --max-time 5 --output /dev/null "$1" && return
    sleep 0.1
  done
  echo "$1 does not answer." >&2
  return 1
}

begin provider node provider.js "$provider" "http://127.0.0.1:$first"
begin signing-provider "$python" -B -W ignore signing_provider.py "$signing" "http://127.0.0.1:$second"
"$PLAN_ADVISOR_BIN" migrate >"$logs/migrate.log" 2>&1
"$PLAN_ADVISOR_BIN" seed >"$logs/seed.log" 2>&1
psql "$DATABASE_URL" --no-psqlrc -qc "
  INSERT INTO invitations (id, token_hash, email, role, brand_id, expires_at)
  SELECT gen_random_uuid(), sha256(login::bytea), login || '@example.com', 'franchisee', brands.id, now() + interval '1 day'
  FROM brands, unnest(ARRAY['ana', 'bo', 'cem']) login"
for server in "$first $provider" "$second $signing"; do
  read -r port issuer <<<"$server"
  begin "server-$port" env BIND_ADDR="127.0.0.1:$port" PUBLIC_URL="http://127.0.0.1:$port" OIDC_ISSUER="http://localhost:$issuer" \
    ALLOW_DEMO_LOGINS=true RUST_LOG=trace "$PLAN_ADVISOR_BIN" serve
  until_answers "http://127.0.0.1:$port/readyz"
  until_answers "http://localhost:$issuer/.well-known/openid-configuration"
done

BASE_URL="http://127.0.0.1:$first" PROVIDER_URL="http://localhost:$provider" \
  SECOND_BASE_URL="http://127.0.0.1:$second" SECOND_PROVIDER_URL="http://localhost:$signing" node --test identity.test.js

# A JWT begins with `eyJ`, in base64 of `{"`; a code and a state are only ever in queries.
if grep -nE "eyJ[A-Za-z0-9_-]{20}|[?&](code|state)=|$OIDC_CLIENT_SECRET" "$logs"/server-*.log; then
  echo "A secret is in the log." >&2
  exit 1
fi
