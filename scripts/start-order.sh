#!/usr/bin/env bash
# Writes link/start.ld, by which the linker puts together the functions that run until the server is ready and while it
# waits. It names them without the compiler's hashes, so it goes on to hold for most of them when code, compiler or
# dependencies change; worth repeating when "memory: idle" of the bench has grown.
#
#   TEST_DATABASE_URL  a database server
set -euo pipefail
cd "$(dirname "$0")/.."
: "${TEST_DATABASE_URL:?run it by make start-order}"
address=127.0.0.1:38517
program=$PWD/target/release/plan-advisor
work=$(mktemp -d)
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" || true; fi
  if [ -f "$work/before" ]; then cp "$work/before" link/start.ld; fi
  rm -rf "$work"
}
trap finish EXIT

# Writes link/start.ld for the names on standard input.
write_script() {
  echo "/* Made by make start-order: the functions that run until the server is ready and while it waits. */"
  echo "SECTIONS {"
  echo "  .text.start : {"
  sed 's/.*/*(.text.& .text.unlikely.&)/'
  echo "  }"
  echo "} INSERT BEFORE .text;"
}

# Valgrind knows the names of functions in .text only, so it runs a program without the section of this script.
cp link/start.ld "$work/before"
write_script >link/start.ld </dev/null
cargo rustc --release --locked --bin plan-advisor -- -C strip=none
psql -X -q "$TEST_DATABASE_URL" -c 'create database start_order'
env DATABASE_URL="${TEST_DATABASE_URL%/*}/start_order" BIND_ADDR="$address" LLM_BASE_URL=http://127.0.0.1:9/v1 LLM_API_KEY=none \
  valgrind --tool=callgrind --demangle=no --callgrind-out-file="$work/calls" "$program" serve --migrate >"$work/log" 2>&1 &
server=$!
until "$program" health --bind-addr "$address" 2>/dev/null; do
  kill -0 "$server" || { tail "$work/log" >&2; exit 1; }
  sleep 0.2
done
sleep 7 # everything that comes back every few seconds
kill "$server"
wait "$server" || true
server=

# Callgrind writes a name once and then its number. Of the functions that share a name without its hash only some run; they
# are left where they are if together they need more room than a piece of 64 KiB for each of those.
{
  sed -nE "s/^(c?ob|c?fn)=\(([0-9]+)\)( (.*))?$/\1 \2 \4/p" "$work/calls"
  echo "symbols"
  nm --print-size --radix=d --defined-only "$program"
} | awk -v program="$program" '
  function plain(name) {
    sub(/17h[0-9a-f]+E.*$/, "17h*", name)
    gsub(/Cs[0-9a-zA-Z]+_/, "Cs*_", name)
    sub(/\.llvm\.[0-9]+$/, "*", name)
    return length(name) > 100 ? substr(name, 1, 99) "*" : name
  }
  $1 == "symbols" { symbols = 1; next }
  !symbols {
    table = $1 ~ /ob$/ ? "file" : "function"
    if (NF > 2) { sub(/\047[0-9]+$/, "", $3); names[table, $2] = $3 }
    if ($1 == "ob") file = names[table, $2]
    if ($1 == "fn" && file == program) ran[names[table, $2]] = 1
    next
  }
  NF == 4 && $3 ~ /[tTwW]/ {
    name = plain($4)
    size[name] += $2
    if ($4 in ran) count[name]++
  }
  END { for (name in count) if (size[name] < count[name] * 65536) print name }' | LC_ALL=C sort >"$work/names"
write_script <"$work/names" >link/start.ld
rm "$work/before"
echo "link/start.ld names $(wc -l <"$work/names") functions."
