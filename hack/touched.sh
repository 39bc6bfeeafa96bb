#!/usr/bin/env bash
# Prints the names of the recorded cases that a change of knowledge touches, separated by commas: cases that are new or
# changed since BASE (HEAD), and those of the causes whose page changed or which a changed signature says.
set -euo pipefail
cd "$(dirname "$0")/.."
base=${BASE:-HEAD}
changed() { git diff --name-only --diff-filter=d "$base" -- "$@"; git ls-files --others --exclude-standard -- "$@"; }
{
  changed cases | sed -nE 's|^cases/(.*)\.txtar$|\1|p'
  {
    changed knowledge/catalog/causes | sed -nE 's|.*/([^/]+)\.md$|\1|p'
    for file in $(git diff --name-only --no-renames "$base" -- knowledge/signatures/data; git ls-files --others --exclude-standard -- knowledge/signatures/data); do
      # The entries around changed lines: an entry is shorter than twelve lines. Of a new or deleted file, all.
      if git cat-file -e "$base:$file" 2>/dev/null; then git diff -U12 "$base" -- "$file"; else cat "$file"; fi |
        sed -nE 's/^[-+ ]? *says: ([a-z0-9-]+).*/\1/p'
    done
  } | sort -u | while read -r cause; do [ ! -d "cases/$cause" ] || echo "$cause/"; done
} | sort -u | paste -sd, -
