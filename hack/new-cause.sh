#!/bin/sh
# Lays down the page of a cause and its three cases, to be filled in, and says where its message goes. Nothing that exists is changed.
set -eu
name=${1:?usage: make cause NAME=id-in-kebab-case}
case $name in *[!a-z0-9-]* | -* | *-) echo "make cause: $name: the id is words in kebab case" >&2; exit 2 ;; esac
page=knowledge/catalog/causes/$name.md
[ ! -e "$page" ] || { echo "make cause: $page is there already" >&2; exit 2; }
cat > "$page" <<END
---
id: $name
title: FILL IN, one line that says what is wrong
layer: kubelet
severity: error
scope: node
impact: FILL IN, what does not work while the cause lasts
explains: []
confirm:
  - run: a read-only command
    where: node
    expect: the output if this is the cause
remedies:
  - title: FILL IN, lowest risk first
    where: node
    commands:
      - a command
    risk: low
    disruptive: false
verify:
  - FILL IN, how to see that it worked
cautions: []
references:
  - FILL IN, the source or document that this page rests on
---
FILL IN: what happens, why, who notices first, how it differs from its neighbours.
END
mkdir -p "cases/$name"
for kind in plain misleading other-form; do
  cat > "cases/$name/$kind.txtar" <<END
-- truth.yaml --
class: $name
provenance: captured
source: FILL IN, where the evidence was published or recorded
truth: FILL IN, what it was and how that is known
-- evidence/kubelet.log --
FILL IN
END
done
echo "Fill in $page and cases/$name/*.txtar (one of them misleading)."
echo "Name the mechanism that fails in knowledge/catalog/mechanisms.yaml, and add its messages to a file of their speaker in knowledge/signatures/data, or make one. Then: make generate knowledge-check"
