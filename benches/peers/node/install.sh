#!/usr/bin/env bash
# Installs this peer into a folder: server.mjs, its packages, and `node`, a link to the Node.js that runs it (the one among the
# packages, else the installed one).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1"
cp "$here/server.mjs" .
if ! cmp -s "$here/package-lock.json" package-lock.json || ! [ -x node ]; then
  command -v npm >/dev/null || { echo "npm is not installed" >&2 && exit 1; }
  cp "$here/package.json" package.json
  cp "$here/package-lock.json" new-lock.json
  rm -f package-lock.json node && mv new-lock.json package-lock.json
  npm ci --no-audit --no-fund --loglevel=error >&2
  bundled=$(find node_modules -path '*/node-linux-*/bin/node' | head -n 1)
  ln -s "${bundled:-$(NODE_MAJOR=22 "$here/../../../scripts/with-node.sh" node -p process.execPath | tail -n 1)}" node
fi
./node --version >&2
