#!/bin/sh
# Lays down a probe of the agent with its fixture and lists it, and the rule that judges what it says. Nothing that exists is
# changed but the list of probes and that of commands; the list of rules is generated.
set -eu
name=${1:?usage: make probe NAME=id-in-kebab-case}
case $name in *[!a-z0-9-]* | -* | *-) echo "make probe: $name: the id is words in kebab case" >&2; exit 2 ;; esac
source=agent/$(echo "$name" | tr -d -).go
[ ! -e "$source" ] || { echo "make probe: $source is there already" >&2; exit 2; }
type=$(echo "$name" | awk -F- '{ for (i = 1; i <= NF; i++) out = out toupper(substr($i, 1, 1)) substr($i, 2); print out }')
function=$(echo "$name" | awk -F- '{ out = $1; for (i = 2; i <= NF; i++) out = out toupper(substr($i, 1, 1)) substr($i, 2); print out }')
hack/new-rule.sh "report-$name" reports
cat > "$source" <<END
package agent

import (
	"context"
	"errors"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// $function FILL IN: reads what, and the source or document that says what that means.
func $function(_ context.Context, h *Host, r *nodereport.Report) error {
	text := h.text("/proc/FILL-IN")
	if text == "" {
		return errors.New("FILL IN: why it cannot be known")
	}
	r.$type = &nodereport.$type{}
	return nil
}
END
awk -v row="{\"$(echo "$name" | tr - ' ')\", quick, $function, false}" \
  '/^\t}$/ && !listed { print "\t\t" row ","; listed = 1 } { print }' agent/probe.go > agent/probe.go.new
mv agent/probe.go.new agent/probe.go
awk -v row="\"$(echo "$name" | tr - ' ')\": \"FILL IN: the command that shows the same\"," \
  '/^}$/ && !listed { print "\t" row; listed = 1 } { print }' evidence/nodereport/how.go > evidence/nodereport/how.go.new
mv evidence/nodereport/how.go.new evidence/nodereport/how.go
mkdir -p "agent/testdata/$name/plain/root/proc"
echo "written by hand, FILL IN after what" > "agent/testdata/$name/plain/provenance"
echo "Add $type to evidence/nodereport/report.go and fill in $source, triage/rules/reports/report_$(echo "$name" | tr - _).go, agent/testdata/$name/plain and triage/rules/testdata;"
echo "go test ./agent ./triage/rules -update writes what they say, and docs/probes.md. Break it on a real node in lab/nodecheck/probes_test.go."
