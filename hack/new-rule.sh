#!/bin/sh
# Lays down a rule and its fixtures, and lists it. Nothing that exists is changed but the list.
set -eu
name=${1:?usage: make rule NAME=id-in-kebab-case}
case $name in *[!a-z0-9-]* | -* | *-) echo "make rule: $name: the id is words in kebab case" >&2; exit 2 ;; esac
file=$(echo "$name" | tr - _)
source=rules/$file.go
[ ! -e "$source" ] || { echo "make rule: $source is there already" >&2; exit 2; }
variable=$(echo "$name" | awk -F- '{ out = $1; for (i = 2; i <= NF; i++) out = out toupper(substr($i, 1, 1)) substr($i, 2); print out }')
cat > "$source" <<END
package rules

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// $variable FILL IN: what it concludes from which facts.
var $variable = &triage.Rule{
	ID:    "$name",
	Doc:   "FILL IN: one sentence for people.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Data().Nodes {
			_ = n // claim only what the facts prove: p.Found, p.RuleOut, p.Unknown
		}
	},
}
END
mkdir -p "rules/testdata/$file"
for kind in found clear unknown; do
  cat > "rules/testdata/$file/$kind.txtar" <<END
kind: $kind
provenance: handwritten, FILL IN after what
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
awk -v name="$variable" '/^\t}$/ && !listed { print "\t\t" name ","; listed = 1 } { print }' rules/rules.go > rules/rules.go.new
mv rules/rules.go.new rules/rules.go
echo "Fill in $source and rules/testdata/$file/*.txtar; go test ./rules -update writes what the rule says."
