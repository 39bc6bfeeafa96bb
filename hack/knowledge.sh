#!/bin/sh
# Packs the knowledge of this repository as one complete archive: hack/knowledge.sh PROGRAM FILE VERSION [KEY]. With the private key
# of minisign it is signed.
set -eu
program=$1 file=$2 version=$3 key=${4:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -R knowledge/catalog/causes knowledge/catalog/questions knowledge/catalog/symptoms.yaml "$dir"
cp -R knowledge/signatures/data "$dir/signatures"
"$program" knowledge pack "$dir" -o "$file" --name nodetriage --version "$version" --complete ${key:+--sign "$key"}
