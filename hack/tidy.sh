#!/usr/bin/env bash
# go mod tidy, and then what it takes away for nothing: k8s.io/kubernetes asks for its parts at v0.0.0, which does not exist.
# A requirement with a version makes do without a replace for each. Run it in the folder of a module.
set -euo pipefail
GO=${GO:-go}

"$GO" mod tidy
version=$("$GO" list -m -f '{{.Version}}' k8s.io/kubernetes)
parts=$("$GO" mod edit -json "$("$GO" list -m -f '{{.GoMod}}' k8s.io/kubernetes)" |
  tr -d ' \t' | awk -F'"' '/"Path":/ {path = $4} /"Version":"v0.0.0"/ {print path}')
for part in $parts; do
  have=$("$GO" mod edit -json | tr -d ' \t' | awk -F'"' -v p="$part" '/"Path":/ {path = $4} /"Version":/ && path == p {print $4}')
  [ -n "$have" ] && continue
  "$GO" mod edit -require="$part@v0.${version#v1.}"
  sed -i "s|^\(\t$part v[^ ]*\)\$|\1 // indirect|" go.mod
done
"$GO" mod verify >/dev/null
