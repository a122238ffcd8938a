#!/usr/bin/env bash
# Runs a command with Node.js 20 (or NODE_MAJOR) or newer: the installed one, or, if that is older (Debian 12 has 18), one that npm
# downloads into its cache.
set -euo pipefail

version=$(node --version)
major=${version#v}
wanted=${NODE_MAJOR:-20}
if [ "${major%%.*}" -ge "$wanted" ]; then
  exec "$@"
fi
echo "These tests need Node.js $wanted, this is $version: using Node.js 22 through npm"
exec npx --yes --package=node@22 -- "$@"
