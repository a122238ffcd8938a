#!/usr/bin/env bash
# Runs the program on a highly available PostgreSQL and plays its faults: three nodes under Patroni with etcd, HAProxy
# beside a URL with several hosts, four instances under load, and an oracle.
#
#   scripts/cluster.sh [--short] [ROW…]
#
# Everything runs on this machine without privileges, on ports 24600 to 24699; as root also the row that needs a packet
# filter. The logs are left in target/cluster.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=$(scripts/postgres-bin.sh)
target=$(cargo metadata --format-version 1 --no-deps --offline | sed -E 's/.*"target_directory":"([^"]*)".*/\1/')
binary=${PLAN_ADVISOR_BIN:-}
if [ -z "$binary" ]; then
  cargo build --locked --quiet
  binary="$target/debug/plan-advisor"
fi
mkdir -p "$target/cluster"
exec python3 -B tests/cluster/run.py "$binary" "$bin" "$target/cluster" "$@"
