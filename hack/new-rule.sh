#!/bin/sh
# Lays down a rule and its fixtures, and writes the list anew. Nothing else that exists is changed.
set -eu
usage="usage: make rule NAME=id-in-kebab-case IN=folder-of-rules"
name=${1:?$usage}
folder=${2:?$usage}
case $name in *[!a-z0-9-]* | -* | *-) echo "make rule: $name: the id is words in kebab case" >&2; exit 2 ;; esac
file=$(echo "$name" | tr - _)
[ -f "triage/rules/$folder/doc.go" ] && [ "$folder" != facts ] || { echo "make rule: triage/rules/$folder: no folder of rules; there are: $(cd triage/rules && ls */doc.go | grep -v '^facts/' | sed 's|/doc.go||' | tr '\n' ' ')" >&2; exit 2; }
source=triage/rules/$folder/$file.go
[ ! -e "$source" ] || { echo "make rule: $source is there already" >&2; exit 2; }
variable=$(echo "$name" | awk -F- '{ for (i = 1; i <= NF; i++) out = out toupper(substr($i, 1, 1)) substr($i, 2); print out }')
cat > "$source" <<END
package $folder

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// $variable FILL IN: what it concludes from which facts.
var $variable = &triage.Rule{
	ID:    "$name",
	Doc:   "FILL IN: one sentence for people: what it reads and what it concludes.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Data().Nodes {
			_ = n // claim only what the facts prove: p.Found, p.RuleOut, p.Unknown
		}
	},
}
END
mkdir -p "triage/rules/testdata/$file"
for kind in found clear unknown; do
  cat > "triage/rules/testdata/$file/$kind.txtar" <<END
Written by hand, FILL IN after what.
-- case.yaml --
kind: $kind
at: 2026-03-01T10:00:00Z
-- nodes.yaml --
apiVersion: v1
kind: Node
metadata: {name: worker-1}
status:
  conditions: [{type: Ready, status: "True"}]
-- want --
END
done
hack/list-rules.sh
echo "Fill in $source and triage/rules/testdata/$file/*.txtar; go test ./triage/rules -update writes what the rule says."
