#!/usr/bin/env bash
# unchanged.sh NAME FOLDER... -- COMMAND...: runs a check whose result depends on the command and the files in the folders alone, unless it
# succeeded on the same before. Such a check needs a tool that takes minutes to compile. hack/unchanged.txt, which is committed, has the sum of
# what each check last succeeded on. RECHECK=1 runs it in any case.
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1
shift
folders=()
while [ "$1" != -- ]; do folders+=("$1"); shift; done
shift
record=hack/unchanged.txt
for folder in "${folders[@]}"; do
  [ -e "$folder" ] || { echo "$name: $folder does not exist, so it cannot be known whether it changed" >&2; exit 1; }
done
sum=$({
  echo "$*"
  git ls-files -co --exclude-standard -- "${folders[@]}" | LC_ALL=C sort | while IFS= read -r file; do [ ! -f "$file" ] || sha256sum "$file"; done
} | sha256sum | cut -d' ' -f1)
if [ -z "${RECHECK:-}" ] && grep -qxF "$name $sum" "$record"; then
  echo "$name: succeeded on the same files before (hack/unchanged.txt)"
  exit 0
fi
"$@"
others=$(grep -v "^$name " "$record" || true)
printf '%s\n' "$others" "$name $sum" | sed '/^$/d' | LC_ALL=C sort >"$record"
