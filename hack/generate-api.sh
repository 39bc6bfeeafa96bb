#!/bin/sh
# Generates the deep copies of api and the CustomResourceDefinitions in deploy/crds and in the chart. With -check it fails if they are not up
# to date.
set -eu
cd "$(dirname "$0")/.."
tool=sigs.k8s.io/controller-tools/cmd/controller-gen@v0.21.0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
${GO:-go} run "$tool" object paths=./api/v1alpha1 output:object:dir="$out/copies" crd:maxDescLen=1024 output:crd:dir="$out/crds"
copies=api/v1alpha1/zz_generated.deepcopy.go
charted=charts/nodetriage/files/triage.nodetriage.dev_nodediagnoses.yaml
if [ "${1:-}" = -check ]; then
  status=0
  cmp -s "$out/copies/zz_generated.deepcopy.go" "$copies" && diff -r "$out/crds" deploy/crds >/dev/null &&
    cmp -s "$out/crds/${charted##*/}" "$charted" || status=1
  [ "$status" -eq 0 ] || echo 'the files that controller-gen makes are not up to date: run make generate' >&2
  exit "$status"
fi
mkdir -p deploy/crds
rm -f deploy/crds/*.yaml
cp "$out/crds"/*.yaml deploy/crds/
cp "$out/crds/${charted##*/}" "$charted"
cp "$out/copies/zz_generated.deepcopy.go" "$copies"
