#!/usr/bin/env bash
# Prints the path of a PgBouncer that keeps prepared statements in transaction mode (1.21 or newer): $PGBOUNCER, this
# system's, its package, or Debian 13's, which is unpacked into target/pgbouncer as root, once. Otherwise says why there is
# none.
set -euo pipefail
cd "$(dirname "$0")/.."

oldest=1.21
kept=$PWD/target/pgbouncer
PATH=$PATH:/usr/sbin

# is_new_enough "PgBouncer 1.24.1 …"
is_new_enough() {
  local is
  is=$(grep -oE '[0-9]+\.[0-9]+' <<<"$1" | head -n 1) || return 1
  [ "$(printf '%s\n%s\n' "$oldest" "$is" | sort -V | head -n 1)" = "$oldest" ]
}
use() {
  if is_new_enough "$("$1" --version 2>/dev/null)"; then
    echo "$1"
    exit 0
  fi
}

# The program, its libraries and their loader, out of a minimal Debian 13 that is removed again.
unpack_from_debian() {
  local root loader
  root=$(mktemp -d /var/tmp/plan-advisor-pgbouncer.XXXXXX)
  trap 'rm -rf --one-file-system "$root"' RETURN
  echo "Fetching PgBouncer from Debian 13 (debootstrap, about two minutes)" >&2
  # Its second stage mounts /proc inside; in a mount namespace of its own that is gone with it.
  unshare --mount --propagation private debootstrap --variant=minbase --include=pgbouncer trixie "$root" >"$root.log" 2>&1 ||
    return 1
  loader=$(compgen -G "$root/usr/lib64/ld-linux-*.so.*" || compgen -G "$root/usr/lib/ld-linux-*.so.*") || return 1
  rm -rf "$kept.new"
  mkdir -p "$kept.new/lib"
  cp -L "$loader" "$kept.new/lib/loader"
  cp -L "$root/usr/sbin/pgbouncer" "$kept.new/lib/pgbouncer"
  "$loader" --library-path "$(echo "$root"/usr/lib/*-linux-gnu*)" --list "$root/usr/sbin/pgbouncer" |
    awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | xargs cp -L -t "$kept.new/lib"
  printf '%s\n' '#!/bin/sh' 'lib=$(dirname "$0")/lib' 'exec "$lib/loader" --library-path "$lib" "$lib/pgbouncer" "$@"' \
    >"$kept.new/pgbouncer"
  chmod 755 "$kept.new/pgbouncer"
  rm -rf "$kept"
  mv "$kept.new" "$kept"
  rm -f "$root.log"
}

if [ -n "${PGBOUNCER:-}" ]; then
  use "$PGBOUNCER"
  echo "PGBOUNCER=$PGBOUNCER is not PgBouncer $oldest or newer" >&2
  exit 1
fi
if found=$(command -v pgbouncer); then
  use "$found"
fi
use "$kept/pgbouncer"
packaged=$(LC_ALL=C apt-cache policy pgbouncer 2>/dev/null | awk '$1 == "Candidate:" { print $2 }' || true)
if is_new_enough "$packaged"; then
  scripts/ensure.sh pgbouncer >&2
  use "$(command -v pgbouncer)"
fi
if [ "$(id -u)" = 0 ] && scripts/ensure.sh debootstrap >&2 && unpack_from_debian; then
  use "$kept/pgbouncer"
fi
echo "There is no PgBouncer $oldest or newer here${packaged:+ (packaged: $packaged)}, and Debian 13's needs root and debootstrap: set PGBOUNCER" >&2
exit 1
