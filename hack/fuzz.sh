#!/usr/bin/env bash
# Runs every fuzz target, or those below the folders that are named, with FUZZTIME inputs (1000x) or for that time (3s). Found inputs land in testdata/fuzz and fail the next test run.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
while IFS=: read -r file _ line; do
  target=$(sed -E 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/' <<<"$line")
  echo "fuzz $(dirname "$file") $target"
  "$go" test -run '^$' -fuzz "^${target}\$" -fuzztime "${FUZZTIME:-1000x}" -fuzzminimizetime 1x "./$(dirname "$file")"
done < <(grep -rn --include='*_test.go' --exclude-dir=lab -E '^func Fuzz' "${@:-.}" | sed 's|^\./||' | sed -E 's/^([^:]*):([0-9]+):(.*)$/\1:\2:\3/')
