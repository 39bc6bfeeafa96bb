#!/bin/sh
# Fails if two releases of the same commit differ: made in two folders, one after the other, with another time zone,
# language, mask and environment of Go. FRESH=1 makes the second with an empty cache of Go, which takes long.
set -eu
targets=${1:-}
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
git clone -q . "$dir/one"
git clone -q . "$dir/folder two"
make -C "$dir/one" release TARGETS="$targets"
(
  umask 077
  [ -z "${FRESH:-}" ] || export GOCACHE="$dir/cache"
  TZ=Asia/Tokyo LC_ALL=C GOARM64=v9.0 make -C "$dir/folder two" release TARGETS="$targets"
)
diff "$dir/one/dist/checksums.txt" "$dir/folder two/dist/checksums.txt"
(cd "$dir/folder two/dist" && sha256sum --quiet -c checksums.txt)
echo "$(wc -l < "$dir/one/dist/checksums.txt") files have the same sums"
