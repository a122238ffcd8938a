#!/usr/bin/env bash
# Runs the program on a highly available PostgreSQL and plays its faults: three nodes under Patroni with etcd, HAProxy
# beside a URL with several hosts, four instances under load, and an oracle. The row `pooler` has a PostgreSQL of its own
# with PgBouncer in front, and the API tests.
#
#   scripts/cluster.sh [--short] [ROW…]
#
# Everything runs on this machine without privileges, on ports 24600 to 24699; as root also the row that needs a packet
# filter. The logs are left in target/cluster.
set -euo pipefail
cd "$(dirname "$0")/.."

# Every row but `pooler`, which is last; all of them when none is named.
rows=() has_pooler=
for argument; do
  if [ "$argument" = pooler ]; then
    has_pooler=1
  else
    rows+=("$argument")
  fi
done
if [ $# = 0 ]; then
  has_pooler=1
fi

bin=$(scripts/postgres-bin.sh)
target=$(cargo metadata --format-version 1 --no-deps --offline | sed -E 's/.*"target_directory":"([^"]*)".*/\1/')
binary=${PLAN_ADVISOR_BIN:-}
if [ -z "$binary" ]; then
  cargo build --locked --quiet
  binary="$target/debug/plan-advisor"
fi
mkdir -p "$target/cluster"
failed=0
if [ ${#rows[@]} -gt 0 ] || [ $# = 0 ]; then
  python3 -B tests/cluster/run.py "$binary" "$bin" "$target/cluster" "${rows[@]}" || failed=$?
fi
if [ -n "$has_pooler" ] && [ "$failed" != 130 ]; then
  if pgbouncer=$(scripts/pgbouncer.sh); then
    # Always on a server of its own: its roles and its connections are this row's.
    env -u TEST_DATABASE_URL scripts/with-test-postgres.sh \
      python3 -B tests/cluster/pooler.py "$binary" "$pgbouncer" "$target/cluster" || failed=$?
  else
    echo "pooler is left out"
  fi
fi
exit "$failed"
