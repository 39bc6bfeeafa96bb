#!/bin/sh
# Generates the deep copies of the types in cloud/azure/gate, and the definitions that the lab installs in place of those of AKS. With
# -check it fails if they are not up to date.
set -eu
cd "$(dirname "$0")/.."
tool=sigs.k8s.io/controller-tools/cmd/controller-gen@v0.21.0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for group in health upgrade; do
  ${GO:-go} run "$tool" object paths=./cloud/azure/gate/$group output:object:dir="$out/$group" crd:maxDescLen=0 output:crd:dir="$out/crds"
done
if [ "${1:-}" = -check ]; then
  status=0
  for group in health upgrade; do
    cmp -s "$out/$group/zz_generated.deepcopy.go" "cloud/azure/gate/$group/zz_generated.deepcopy.go" || status=1
  done
  diff -r "$out/crds" lab/upgradegate/crds >/dev/null || status=1
  [ "$status" -eq 0 ] || echo 'the files that controller-gen makes are not up to date: run make generate' >&2
  exit "$status"
fi
mkdir -p lab/upgradegate/crds
cp "$out/crds"/*.yaml lab/upgradegate/crds/
for group in health upgrade; do
  cp "$out/$group/zz_generated.deepcopy.go" "cloud/azure/gate/$group/zz_generated.deepcopy.go"
done
