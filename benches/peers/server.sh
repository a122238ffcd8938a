#!/usr/bin/env bash
# Starts plan-advisor in the foreground for the side-by-side harness.
# Given: PORT HOST DATABASE_URL OPENAI_BASE_URL OPENAI_API_KEY LLM_MODEL; SERVER_BIN is ours to set.
set -euo pipefail
: "${SERVER_BIN:?set SERVER_BIN to the release binary}"
exec env BIND_ADDR="$HOST:$PORT" LLM_BASE_URL="$OPENAI_BASE_URL" LLM_API_KEY="$OPENAI_API_KEY" RUST_LOG=warn \
  RATE_LIMIT_TURNS_PER_MINUTE=0 RATE_LIMIT_RUNNING_TURNS_PER_USER=0 RATE_LIMIT_STREAMS_PER_USER=0 \
  RATE_LIMIT_LOGINS_PER_15_MINUTES=0 "$SERVER_BIN" serve --migrate
