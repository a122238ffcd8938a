#!/usr/bin/env bash
# Puts the tables of the last `make bench` into the documents, between their markers: the short one into README.md, the complete
# one into docs/BENCHMARKS.md.
set -euo pipefail
cd "$(dirname "$0")/.."
from=${CARGO_TARGET_DIR:-target}/bench

paste_into() {
  grep -q '^<!-- bench -->$' "$1" && grep -q '^<!-- /bench -->$' "$1" || { echo "$1 has no markers" >&2 && exit 1; }
  sed -i.old -e "/^<!-- bench -->\$/r $2" -e '/^<!-- bench -->$/,/^<!-- \/bench -->$/{/^<!-- \/\{0,1\}bench -->$/!d;}' "$1"
  rm "$1.old"
}

paste_into README.md "$from/short.md"
paste_into docs/BENCHMARKS.md "$from/table.md"
