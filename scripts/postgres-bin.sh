#!/usr/bin/env bash
# Prints the folder with PostgreSQL's programs (15 or newer), or nothing. Searches in the same order as
# crates/private-postgres/src/binaries.rs.
set -uo pipefail
shopt -s nullglob

candidates() {
  if [ -n "${PG_BIN_DIR:-}" ]; then
    echo "$PG_BIN_DIR"
    return
  fi
  pg_config --bindir 2>/dev/null
  initdb=$(command -v initdb) && dirname "$(readlink -f "$initdb")"
  printf '%s\n' /usr/lib/postgresql/*/bin | sort -Vr
  printf '%s\n' /{opt/homebrew,usr/local,home/linuxbrew/.linuxbrew}/opt/postgresql*/bin | sort -Vr
  printf '%s\n' /Applications/Postgres.app/Contents/Versions/*/bin | sort -Vr
  printf '%s\n' /usr/pgsql-*/bin | sort -Vr
}

while read -r folder; do
  if ! { [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ]; }; then
    continue
  fi
  major=$("$folder/postgres" --version | sed -E 's/.*\(PostgreSQL\) ([0-9]+).*/\1/')
  if [ "$major" -ge 15 ] 2>/dev/null; then
    echo "$folder"
    exit 0
  fi
done < <(candidates)
exit 1
