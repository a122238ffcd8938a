#!/usr/bin/env bash
# Fuzzes the parsers of outside data with libFuzzer, on a stable compiler:
#
#   scripts/fuzz.sh [--fresh] [TARGET…]
#
# Every target (default: all in fuzz/fuzz_targets) runs for FUZZ_SECONDS (default 60), starting from fuzz/corpus. New
# corpus entries are kept in target/fuzz for the next run; --fresh neither reads nor keeps them. A failing input is kept
# in fuzz/artifacts, and the command to replay it is printed.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-60}
fresh=
if [ "${1:-}" = --fresh ]; then
  fresh=yes
  shift
fi
targets=("$@")
if [ $# = 0 ]; then
  for file in fuzz/fuzz_targets/*.rs; do
    file=${file##*/}
    targets+=("${file%.rs}")
  done
fi

RUSTC_WORKSPACE_WRAPPER="$PWD/scripts/rustc-with-coverage.sh" cargo build --locked --quiet --package plan-advisor-fuzz --bins
target_dir=$(cargo metadata --format-version 1 --no-deps --offline | sed -E 's/.*"target_directory":"([^"]*)".*/\1/')

for target in "${targets[@]}"; do
  kept="$target_dir/fuzz/${fresh:+fresh/}$target"
  log="$target_dir/fuzz/$target.log"
  [ -z "$fresh" ] || rm -rf "$kept"
  mkdir -p "$kept" "fuzz/artifacts/$target"
  options=(-max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -artifact_prefix="fuzz/artifacts/$target/")
  if [ -f "fuzz/dictionaries/$target.dict" ]; then
    options+=(-dict="fuzz/dictionaries/$target.dict")
  fi
  printf '%-16s' "$target"
  if ! "$target_dir/debug/$target" "${options[@]}" "$kept" "fuzz/corpus/$target" >"$log" 2>&1; then
    echo "FAILED"
    tail -n 40 "$log" >&2
    echo "Replay: $target_dir/debug/$target fuzz/artifacts/$target/…; the whole output: $log" >&2
    exit 1
  fi
  summary=$(sed -nE 's/^#[0-9]+\tDONE +(cov: [0-9]+).*(corp: [0-9]+).*/\1 \2/p' "$log")
  echo "$(sed -nE 's/^Done ([0-9]+) runs.*/\1 inputs/p' "$log"), $summary, nothing found"
done
