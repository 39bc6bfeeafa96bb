#!/usr/bin/env bash
# What a cause, a signature or a case can break, in less than a minute: their form, the pages made of them, every recorded
# case, and all kinds of change of the cases that are touched (hack/touched.sh). make test has the rest.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
bin=$1
folder=$(mktemp -d)
names=() pids=()
trap 'rm -rf "$folder"; [ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2>/dev/null || true' EXIT

# beside NAME COMMAND...: runs it beside the others; what it says is printed if it fails.
beside() {
  local name=$1
  shift
  "$@" >"$folder/$name" 2>&1 &
  names+=("$name") pids+=($!)
}

"$go" run ./cmd/nodetriage/gendocs -check
touched=$(hack/touched.sh)
beside cases "$bin" test cases
beside forms "$go" test ./knowledge/... ./report
beside commands "$go" test . -run 'Links|OneDoor|Components|NamedFiles'
[ -z "$touched" ] || beside changes "$go" run ./accuracy/cmd/accuracy -check -run "$touched"
failed=0
for i in "${!names[@]}"; do
  wait "${pids[$i]}" || { failed=1; cat "$folder/${names[$i]}"; echo "knowledge-check: ${names[$i]} failed" >&2; }
done
[ "$failed" = 0 ] || exit 1
tail -n 1 "$folder/cases"
echo "knowledge-check: nothing is broken${touched:+; played in all kinds of change: $touched}"
