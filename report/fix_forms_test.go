package report

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// When rows are short, the commands of a fix that disrupts nothing outlast those of the check and of the first step.
func TestHarmlessFixStaysLongest(t *testing.T) {
	fix := catalog.Remedy{Title: "Free the lock. The plugin takes it again", Risk: "low", Where: "node", Commands: []shell.Text{"rm /run/plugin.lock"}}
	x := &triage.Finding{Cause: "cni-bug", Certainty: triage.Likely, Cautions: []shell.Text{"First check the disk, and its inodes (`df -h /run --output=source,size,used,avail,pcent,target,itotal,iused`)."},
		Confirm: []catalog.Check{{Run: "ls -l /run/plugin.lock", Where: "node", Expect: "the file exists"}}, Remedies: []catalog.Remedy{fix}}
	for rows := 4; rows < 12; rows++ {
		f := &firstPage{style: Style{Width: 80}}
		f.check(x)
		f.fix(x)
		screen := strings.Join(fitParts(f.parts, rows, 80), "\n")
		if !strings.Contains(screen, "\n     rm /run/plugin.lock") {
			t.Errorf("in %d rows the fix has no command:\n%s", rows, screen)
		}
	}
}

// The place of the first command stands in the title of a fix if it costs no row.
func TestPlaceInTheTitle(t *testing.T) {
	f := &firstPage{style: Style{Width: 80}}
	for title, want := range map[string]string{
		"Drain the node":                "FIX     Drain the node (risk: medium; disrupts pods; start on your workstation)\n     kubectl drain w1\n     # ON THE NODE:\n     reboot",
		"Drain the node and restart it": "FIX     Drain the node and restart it (risk: medium; disrupts pods)\n     # ON YOUR WORKSTATION:\n     kubectl drain w1\n     # ON THE NODE:\n     reboot",
	} {
		m := &catalog.Remedy{Title: title, Risk: "medium", Disruptive: true, Where: "node", Commands: []shell.Text{"kubectl drain w1 # on: workstation", "reboot"}}
		if got := strings.Join(f.remedy("FIX", m, 3), "\n"); got != want {
			t.Errorf("%s:\n%s", title, got)
		}
	}
}
