#!/usr/bin/env bash
# Plays tests of the lab: all of them, or the part of the day (in UTC), because all of them take half an hour on two processors.
#
#   hack/lab.sh all | today | 1..5
set -euo pipefail
cd "$(dirname "$0")/../lab"
go=${GO:-go}

# Each part takes about as long as the others. In a part, what takes longest begins first. What is named in none belongs to the last.
parts=(
  "./scenario ./cmd/lab ./nodecheck"
  "./azure ./screens"
  "."
  "./agent ./verify"
  "./controller ./faulty ./upgradegate ./story"
)
# The long plays have targets of their own.
apart="./drain ./upgrade ./conformance ./chart"

rest() {
  local package
  for package in $("$go" list -f '{{.ImportPath}}' ./... | sed -E 's#^[^/]+/[^/]+/[^/]+/lab#.#'); do
    [[ " ${parts[*]} $apart " == *" $package "* ]] || echo "$package"
  done
}

which=${1:?use all, today, or a number from 1 to ${#parts[@]}}
[ "$which" != today ] || which=$(($(date -u +%s) / 86400 % ${#parts[@]} + 1))
if [ "$which" = all ]; then
  packages="${parts[*]} $(rest)"
else
  packages=${parts[which - 1]}
  [ "$which" -lt ${#parts[@]} ] || packages+=" $(rest)"
  echo "lab: part $which of ${#parts[@]}, another one each day; make lab plays all"
fi
# shellcheck disable=SC2086 # a list of packages
exec "$go" test -p 4 -parallel 6 -count=1 -timeout 40m $packages
