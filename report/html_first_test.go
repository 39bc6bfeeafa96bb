package report_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/report"
)

var (
	linkTo  = regexp.MustCompile(`href="#([^"]+)"`)
	labelOf = regexp.MustCompile(` id="([^"]*)"`)
)

// The first command stands above the evidence, each node with a problem links to its finding or row, and each link has a target.
func TestPageBeginsWithTheFirstAction(t *testing.T) {
	c, set := knowledge(t)
	for _, name := range []string{"vxlan", "faults"} {
		in := readIncident(t, name)
		var b bytes.Buffer
		if err := report.HTML(&b, report.Incident{Report: in.report, Snapshot: in.snapshot, Catalog: c, Signatures: set, Version: "v0"}); err != nil {
			t.Fatal(err)
		}
		page := b.String()
		if first, evidence := strings.Index(page, `class="first"`), strings.Index(page, "<h3>Evidence"); first < 0 || first > evidence {
			t.Errorf("%s: the first action is at %d, the evidence at %d", name, first, evidence)
		}
		if !strings.Contains(page, `class="impact"`) {
			t.Errorf("%s: no impact", name)
		}
		ids := map[string]bool{}
		for _, m := range labelOf.FindAllStringSubmatch(page, -1) {
			if ids[m[1]] || m[1] == "" {
				t.Errorf("%s: id %q twice or empty", name, m[1])
			}
			ids[m[1]] = true
		}
		nodes := 0
		for _, m := range linkTo.FindAllStringSubmatch(page, -1) {
			if !ids[m[1]] {
				t.Errorf("%s: a link to %s, which is not there", name, m[1])
			}
			if strings.HasPrefix(m[1], "finding-") || strings.HasPrefix(m[1], "node-") {
				nodes++
			}
		}
		if nodes == 0 {
			t.Errorf("%s: no node links", name)
		}
	}
}

// The page of a drain shows each pod with its way: from which node, to where, and what blocks it.
func TestDrainPicture(t *testing.T) {
	d := &drain.Plan{Nodes: []string{"n1"}, Pods: []drain.Pod{
		{Namespace: "shop", Name: "web", Node: "n1", Action: drain.Evict, Wave: 1, Placement: placement.Fits},
		{Namespace: "shop", Name: "db", Node: "n1", Action: drain.Block, Blockers: []drain.Blocker{{Kind: drain.Budget, Name: "shop/db"}}},
		{Namespace: "shop", Name: "big", Node: "n1", Action: drain.Block, Placement: placement.Pending, Blockers: []drain.Blocker{{Kind: drain.NoRoom}}},
	}}
	var b bytes.Buffer
	if err := report.DrainHTML(&b, d, "v0"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<th>From node</th><th>To node</th>", "another node", "no node has room", "pdb shop/db", "wave 1"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not there", want)
		}
	}
}
