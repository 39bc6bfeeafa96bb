#!/usr/bin/env bash
# Lays down the module file of another minor version of Kubernetes, in its newest patch: lab/kubernetes/add.sh 1.33
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
GO=${GO:-go}
minor=${1:?say which minor version: 1.33}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cd "$folder"
"$GO" mod init github.com/nodetriage/nodetriage/lab/kubernetes
# newest MODULE MAJOR MINOR [PATCH]: its newest release of that minor version, not after the patch, or, where none can be had, of a
# minor version before.
newest() {
  "$GO" list -mod=mod -m -versions -f '{{join .Versions "\n"}}' "$1" |
    awk -F. -v major="$2" -v minor="$3" -v patch="${4:-99}" '$1 == major && !/-/ && ($2 < minor || $2 == minor && $3 <= patch)' | tail -n 1
}
version=$(newest k8s.io/kubernetes v1 "${minor#1.}")
# k8s.io/kubernetes asks for its parts at v0.0.0, which does not exist: they must be required before anything is looked up, each as it
# was then.
source=$("$GO" mod download -json "k8s.io/kubernetes@$version" | awk -F'"' '$2 == "GoMod" {print $4}')
parts=$(awk '$2 == "v0.0.0" {print $1}' "$source" | sort -u)
requires=()
for part in $parts; do
  requires+=("-require=$part@$(newest "$part" v0 "${minor#1.}" "${version##*.}")")
done
"$GO" mod edit "${requires[@]}" -require="k8s.io/kubernetes@$version" -go="$(awk '$1 == "go" {print $2}' "$source")"
for program in kube-apiserver kube-controller-manager kube-scheduler kubelet kubectl; do
  "$GO" mod edit -tool="k8s.io/kubernetes/cmd/$program"
done
"$GO" mod tidy
"$GO" mod edit "${requires[@]}" # tidy takes away those that no program is made of
"$GO" list -mod=mod -m all >/dev/null # and needs their sums
cp go.mod "$here/$minor.mod"
cp go.sum "$here/$minor.sum"
