#!/usr/bin/env bash
# Plays one part of what make test leaves out, another one each day (in UTC). ROTATE=PART plays that one. A part that is not
# over in ROTATE_SECONDS (600) after what it needs is built has failed: it was not played. A play in the lab, where time
# matters, has failed when it fails again, alone.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
parts=(chart monitoring conformance drain upgrade fuzz agree accuracy lint)
day=$(date -u +%F)
part=${ROTATE:-${parts[$(($(date -u +%s) / 86400 % ${#parts[@]}))]}}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

say() { echo "rotate: $part of ${parts[*]} ($day): $*"; }

# bounded COMMAND...: its exit code.
bounded() {
  local left=$((end - SECONDS)) code=0
  [ "$left" -gt 0 ] || { say "no time is left for: $*"; return 1; }
  timeout --kill-after=20 "$left" "$@" >"$folder/log" 2>&1 || code=$?
  [ "$code" -ne 124 ] && [ "$code" -ne 137 ] || say "not over in $limit s: it was not played to its end"
  return "$code"
}

# failed prints the pattern that runs the tests that the log says failed, those below others alone.
failed() {
  sed -nE 's/^ *--- FAIL: ([^ ]+) .*/\1/p' "$folder/log" | awk -F/ '
    { for (i = 1; i <= NF; i++) if (!seen[i, $i]++) level[i] = level[i] (level[i] ? "|" : "") $i; if (NF > most) most = NF }
    END { for (i = 1; i <= most; i++) printf "%s^(%s)$", (i > 1 ? "/" : ""), level[i] }'
}

# play FOLDER PATTERN: tests of the lab.
play() {
  (cd lab && "$go" test -run '^$' ./drain && "$go" test -c -o "$folder/play" "./$1") # builds the control plane too
  start
  if ! (cd "lab/$1" && bounded "$folder/play" -test.v -test.timeout 0 -test.run "$2"); then
    cat "$folder/log"
    local again
    again=$(failed)
    [ -n "$again" ] || { say "failed"; exit 1; }
    say "failed; once more, alone: -run '$again'"
    (cd "lab/$1" && bounded "$folder/play" -test.v -test.timeout 0 -test.parallel 1 -test.run "$again") || { cat "$folder/log"; say "failed twice"; exit 1; }
  fi
}

start() {
  limit=${ROTATE_SECONDS:-600}
  end=$((SECONDS + limit))
  say "begins"
}

case $part in
  conformance) play conformance '^(TestQuick|TestRandom|TestScenarios)$' ;;
  drain) play drain '^TestRandomPlans$' ;;
  upgrade) play upgrade '^TestRandom$' ;;
  fuzz)
    # The packages whose instrumented build is small.
    packages=(wording knowledge/shell knowledge/prefilter agent/journal evidence knowledge/signatures collect/paste)
    start
    GO=$go bounded hack/fuzz.sh "${packages[@]}" || { cat "$folder/log"; say "failed"; exit 1; }
    ;;
  agree)
    "$go" test -c -o "$folder/agree" ./cmd/nodetriage
    start
    (cd cmd/nodetriage && bounded "$folder/agree" -test.v -test.timeout 0 -test.run '^TestCommandsAgree$' -clusters 4000) || { cat "$folder/log"; say "failed"; exit 1; }
    ;;
  accuracy)
    "$go" build -o "$folder/accuracy" ./accuracy/cmd/accuracy
    start
    bounded "$folder/accuracy" -check || { cat "$folder/log"; say "failed"; exit 1; }
    ;;
  lint) # The linters, the size of the programs, and what hack/unchanged.sh leaves out otherwise. Most of the time goes into compiling.
    RECHECK=1 make lint size generated alerts >"$folder/log" 2>&1 || { cat "$folder/log"; say "failed"; exit 1; }
    ;;
  chart | monitoring)
    RECHECK=1 make "$part" >"$folder/log" 2>&1 || { cat "$folder/log"; say "failed"; exit 1; }
    ;;
  *) echo "rotate: $part: use one of ${parts[*]}" >&2; exit 2 ;;
esac
tail -n 3 "$folder/log"
say "nothing failed"
