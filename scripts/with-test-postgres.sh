#!/usr/bin/env bash
# Runs a command with a temporary PostgreSQL:
#
#   scripts/with-test-postgres.sh cargo test
#   scripts/with-test-postgres.sh --durable cargo bench
#
# The server has a Unix socket and no port, and does not wait for the disk (with --durable it does, to measure commits, and has no
# autovacuum and no timed checkpoints).
# It is removed with its data when the command ends in any way; the remains of a killed run are removed by the next one.
# The command gets TEST_DATABASE_URL (superuser, database `postgres`) and psql on its PATH. If TEST_DATABASE_URL is set
# already, it is used instead.
set -euo pipefail

durable=
if [ "${1:-}" = --durable ]; then
  durable=1
  shift
fi
if [ $# = 0 ]; then
  echo "usage: $0 [--durable] COMMAND [ARGUMENT…]" >&2
  exit 2
fi
bin=$("$(dirname "$0")/postgres-bin.sh") || {
  echo "Missing: PostgreSQL 15 or newer. Install it: scripts/ensure.sh postgres" >&2
  exit 1
}
export PATH="$bin:$PATH"
if [ -n "${TEST_DATABASE_URL:-}" ]; then
  exec "$@"
fi

# PostgreSQL refuses to run as root.
as_server=(env -u PGDATA -u PGPORT -u PGHOST)
account=
if [ "$(id -u)" = 0 ]; then
  account=postgres
  id "$account" >/dev/null 2>&1 || account=nobody
  as_server=(setpriv "--reuid=$account" "--regid=$(id -g "$account")" --clear-groups "${as_server[@]}")
fi

remove() {
  if [ -f "$1/data/postmaster.pid" ]; then
    (cd / && "${as_server[@]}" "$bin/pg_ctl" -D "$1/data" -m immediate -s stop) || true
  fi
  rm -rf "$1"
}

# Always /tmp: a socket's path must be short, and accessible for the server's account.
for left in /tmp/plan-advisor-test.*; do
  if [ -O "$left" ] && [ -f "$left/owner" ] && ! kill -0 "$(cat "$left/owner")" 2>/dev/null; then
    remove "$left"
  fi
done

dir=$(mktemp -d /tmp/plan-advisor-test.XXXXXX)
# Ignore signals during the removal: a second Ctrl-C must not leave a server behind.
trap 'trap "" INT TERM HUP; remove "$dir"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
echo $$ >"$dir/owner"
chmod 711 "$dir"
mkdir -m 700 "$dir/data" "$dir/run"
touch "$dir/log"
if [ -n "$account" ]; then
  chown "$account" "$dir/data" "$dir/run" "$dir/log"
fi

start() {
  "${as_server[@]}" "$bin/initdb" -D "$dir/data" -U postgres -E UTF8 --locale="$1" --no-sync \
    --auth-local=trust --auth-host=reject >"$dir/initdb.log" 2>&1
}
settings="-k $dir/run -c listen_addresses= -c port=5432 -c timezone=UTC -c fsync=off -c synchronous_commit=off"
settings+=" -c full_page_writes=off -c shared_buffers=64MB -c max_connections=200"
if [ -n "$durable" ]; then
  # PostgreSQL's defaults, but for work in the background, which would count for whatever is measured when it happens: the
  # bench runs VACUUM and CHECKPOINT before each measurement.
  settings="-k $dir/run -c listen_addresses= -c port=5432 -c timezone=UTC -c max_connections=200"
  settings+=" -c autovacuum=off -c checkpoint_timeout=1h -c max_wal_size=16GB"
fi
if ! (cd / && { start C.UTF-8 || { rm -rf "$dir"/data/*; start C; }; }) ||
  ! (cd / && "${as_server[@]}" "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -o "$settings" -w -t 120 -s start); then
  cat "$dir/initdb.log" "$dir/log" >&2
  echo "The test PostgreSQL did not start." >&2
  exit 1
fi
export TEST_DATABASE_URL="postgresql://postgres@${dir//\//%2F}%2Frun/postgres"

if [ -t 0 ]; then
  # At a terminal Ctrl-C reaches the command directly, and the command may read standard input.
  "$@"
else
  # In its own process group, so that a signal to this script also ends the command.
  set -m
  "$@" <&0 &
  child=$!
  set +m
  trap 'kill -s INT -- "-$child" 2>/dev/null; wait "$child" || true; exit 130' INT
  trap 'kill -s TERM -- "-$child" 2>/dev/null; wait "$child" || true; exit 143' TERM HUP
  wait "$child"
fi
