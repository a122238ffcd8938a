#!/bin/sh
# RUSTC_WORKSPACE_WRAPPER of scripts/fuzz.sh: instruments our crates for libFuzzer with a stable compiler. Dependencies
# are not instrumented and are shared with other builds.
name=
previous=
for argument; do
  [ "$previous" = --crate-name ] && name=$argument
  previous=$argument
done
case $name in
  # Cargo's queries of the compiler, and the build script, which runs without libFuzzer.
  '' | ___ | build_script_*) exec "$@" ;;
esac
exec "$@" -Copt-level=1 -Cdebug-assertions=on -Coverflow-checks=on -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares
