package accuracy

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// besideNode lists differences that the rest of the cluster may cause in the result for a node, and why. A watched cluster is
// judged as a whole again a little later.
var besideNode = map[string]string{
	"cordon-left-behind":          "whether a cordon was left behind, other nodes of the control plane and the upgrade of the pool tell",
	"node-unschedulable":          "as before",
	"kubelet-client-cert-expired": "the API server's log, which names no node, tells of the certificate",
	"tls-failure":                 "as before",
	"pod-pending":                 "an event of a pod that is on no node",
	"runtime-hung":                "a line that names no node explains it",
	"runtime-down":                "as before",
}

// A node rule gives the same result for a node on its part of the evidence as on the whole.
func TestNodeRulesNeedTheNodeAlone(t *testing.T) {
	w := sharedWorld(t)
	said := make([]int, len(w.Cases))
	problems := make([]string, len(w.Cases))
	parallel(len(w.Cases), func(i int) { said[i], problems[i] = onEachNode(w.Engine, w.Cases[i]) })
	compared := 0
	for i, p := range problems {
		compared += said[i]
		if p != "" {
			t.Errorf("%s: %s", w.Cases[i].Name, p)
		}
	}
	t.Logf("%d claims were compared", compared)
	if compared < 1000 {
		t.Errorf("only %d claims were compared", compared)
	}
}

// onEachNode compares the results of node rules for each node of a case, on its part of the evidence and on all of it.
func onEachNode(e *Engine, c *Case) (said int, problem string) {
	b := collect.NewBuilder(evidence.Source{Kind: "folder", Name: "case"}, e.signatures)
	if err := b.AddFS(c.Files.FS()); err != nil {
		return 0, "" // whether it can be read is tested elsewhere
	}
	s := b.Snapshot()
	whole := triage.Input{Snapshot: s, Catalog: e.catalog, Signatures: e.signatures, Rulebook: rules.All().OfNode(), Now: s.TakenAt()}
	parts := map[string]*evidence.Snapshot{}
	for _, n := range s.Nodes() {
		if n.Name != "" {
			parts[n.Name] = s.OfNode(n.Name)
		}
	}
	for _, r := range whole.Rulebook.Rules {
		all := triage.Apply(whole, r)
		for name, part := range parts {
			one := whole
			one.Snapshot = part
			want, got := claimsOn(s, all, name), claimsOn(part, triage.Apply(one, r), name)
			said += len(want)
			if !slices.Equal(got, want) {
				problem = fmt.Sprintf("%s says of %s by itself %q, and beside the cluster %q", r.ID, name, linesOnlyIn(got, want), linesOnlyIn(want, got))
			}
		}
	}
	return said, problem
}

// linesOnlyIn are the lines of a list that another does not have.
func linesOnlyIn(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(line string) bool { return slices.Contains(other, line) })
}

// claimsOn returns the claims of an outcome about a node and its pods, except those that may differ.
func claimsOn(s *evidence.Snapshot, o triage.Outcome, node string) []string {
	var out []string
	for _, c := range o.Claims {
		if s.NodeOf(c.Subject) == node && besideNode[c.Says] == "" {
			out = append(out, fmt.Sprintf("found %s on %s, %s %s: %s", c.Says, c.Subject, c.Certainty, c.Severity, c.Summary))
		}
	}
	for _, r := range o.RuledOut {
		if s.NodeOf(r.Subject) == node {
			out = append(out, fmt.Sprintf("ruled out %s on %s: %s", r.Cause, r.Subject, r.Because))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
