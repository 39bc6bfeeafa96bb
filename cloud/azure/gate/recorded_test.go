package gate_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/cloud/azure/gate"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/upgrade"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// Recorded clusters, as if each of their nodes had just been upgraded:
//   - a False names the confirmed cause;
//   - no node with the verdict healthy gets a False;
//   - of the nodes whose first cause is certain and keeps them from working, at least 95 % get a False.
func TestRecorded(t *testing.T) {
	cat, set := casetest.Builtin(t)
	all, err := cases.Find("../../../cases")
	if err != nil {
		t.Fatal(err)
	}
	healthy, broken, refused := 0, 0, 0
	for _, c := range all {
		if c.Truth.Provenance != "recorded" {
			continue
		}
		b := collect.NewBuilder(evidence.Source{Kind: "folder", Name: "case"}, set)
		if err := b.AddFS(c.Evidence); err != nil {
			t.Fatal(err)
		}
		s := b.Snapshot()
		for _, n := range judged(s) {
			r := triage.Run(triage.Input{Snapshot: s, Catalog: cat, Signatures: set, Rulebook: rules.All(), Nodes: []string{n}})
			j := gate.Of(s, r, cat, n, s.TakenAt())
			got := gate.Node(gate.Request{Scope: health.Node, Begun: s.TakenAt(), Gated: true, Timeout: upgrade.MaxTimeout}, j, nil, s.TakenAt(), gate.Proceed)
			stops := got.Status == metav1.ConditionFalse
			cause, _, _ := strings.Cut(got.Message, " ")
			if stops && !c.Truth.Accepts(cause) {
				t.Errorf("%s, node %s: %s, but the confirmed cause is %s", c.Name, n, got.Message, c.Truth.Class)
			}
			switch {
			case r.Verdict == triage.Healthy:
				healthy++
				if stops {
					t.Errorf("%s: the healthy node %s is refused: %s", c.Name, n, got.Message)
				}
			case !isHollow(n) && len(r.Findings) > 0 && certainAndGrave(r.Findings[0]):
				if broken++; stops {
					refused++
				} else {
					t.Logf("%s, node %s: %s %s: %s", c.Name, n, got.Status, got.Reason, got.Message)
				}
			}
		}
	}
	t.Logf("%d healthy nodes, %d with a certain cause, %d of these refused", healthy, broken, refused)
	if healthy < 30 || broken < 30 || refused*100 < broken*95 {
		t.Errorf("refused %d of %d nodes with a certain cause; %d healthy nodes", refused, broken, healthy)
	}
}

// judged are the nodes with conditions, and of the hollow ones of a lab, which are all alike, one.
func judged(s *evidence.Snapshot) []string {
	var out []string
	hollow := false
	for _, n := range s.Nodes() {
		if n.Name == "" || n.Condition(corev1.NodeReady) == nil || isHollow(n.Name) && hollow {
			continue
		}
		hollow = hollow || isHollow(n.Name)
		out = append(out, n.Name)
	}
	return out
}

func isHollow(node string) bool { return strings.HasPrefix(node, "hollow-") }

func certainAndGrave(f triage.Finding) bool { return f.Certainty == triage.Certain && f.Grave() }
