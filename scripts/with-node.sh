#!/usr/bin/env bash
# Runs a command with Node.js 20 or newer: this machine's, or, where that is older (Debian 12 has 18), one that npm
# fetches into its cache.
set -euo pipefail

version=$(node --version)
major=${version#v}
if [ "${major%%.*}" -ge 20 ]; then
  exec "$@"
fi
echo "The page's tests need Node.js 20, this is $version: using Node.js 22 through npm"
exec npx --yes --package=node@22 -- "$@"
