package accuracy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/casetest"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/rules"
	"github.com/nodetriage/nodetriage/triage"
)

// platformOf takes one case in so many, on each platform.
const platformOf = 3

// A case whose nodes are of another platform shows no command that the platform does not have.
func TestCasesOnPlatforms(t *testing.T) {
	w, err := NewWorld("../cases")
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(casetest.Platforms))
	var cases []*Case
	for _, c := range w.Cases {
		if c.unfit() == "" && chance(FigureSeed, "platform", c.Name).IntN(platformOf) == 0 {
			cases = append(cases, c)
		}
	}
	problems := make([][]string, len(cases))
	parallel(len(cases), func(i int) {
		for _, name := range names {
			for _, f := range retold(w.Engine, cases[i], casetest.Platforms[name]).Findings {
				for _, command := range missing(&f, casetest.Platforms[name]) {
					problems[i] = append(problems[i], fmt.Sprintf("%s: %s: %s", name, f.Cause, command))
				}
			}
		}
	})
	for i, list := range problems {
		for _, p := range list {
			t.Errorf("%s: %s", cases[i].Name, p)
		}
	}
	if len(cases) < 100 {
		t.Errorf("only %d cases were tried", len(cases))
	}
}

// retold is the report of a case whose nodes are objects of the platform. Where the evidence has no node, the one that its first finding names
// is there too.
func retold(e *Engine, c *Case, p casetest.Platform) *triage.Report {
	b := collect.NewBuilder(evidence.Source{Kind: "folder", Name: "case"}, e.signatures)
	if err := b.AddFS(c.Files.FS()); err != nil {
		b.Gap("evidence", err.Error(), "")
	}
	d := *b.Snapshot().Data()
	list := d.Nodes
	d.Nodes = nil
	if first := c.Base().First(); len(list) == 0 && first != nil && first.Subject.Kind == "Node" {
		n := &corev1.Node{}
		n.Name = first.Subject.Name
		list = append(list, &evidence.Node{Node: n})
	}
	if len(list) == 0 {
		return &triage.Report{} // nothing says where its commands would run
	}
	for _, n := range list {
		own := n.DeepCopy()
		own.Spec.ProviderID = ""
		p.Dress(own)
		d.Nodes = append(d.Nodes, &evidence.Node{Node: own, Ref: n.Ref})
	}
	return triage.Run(triage.Input{Snapshot: evidence.New(d), Catalog: e.catalog, Signatures: e.signatures, Rulebook: rules.All()})
}

// missing are the commands of the finding that the platform does not have.
func missing(f *triage.Finding, p casetest.Platform) (out []string) {
	for _, c := range f.Confirm {
		if p.Lacks(string(c.Run), c.Where) {
			out = append(out, string(c.Run))
		}
	}
	for _, r := range f.Remedies {
		for _, c := range r.Commands {
			if p.Lacks(string(c), cmp.Or(r.Place(c), "node")) {
				out = append(out, string(c))
			}
		}
	}
	return out
}
