package upgradegate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/cloud/azure/gate"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence"
)

// judged judges a recorded cluster of seven nodes, and more with disk pressure. Node real-7 has a certain cause.
func judged(t *testing.T, more int) *engine.Judgement {
	t.Helper()
	knowledge, err := engine.NewKnowledge("test")
	if err != nil {
		t.Fatal(err)
	}
	found, err := cases.Find("../../cases/runtime-down")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(found, func(c cases.Case) bool { return strings.HasSuffix(c.Name, "/lab-runtime-stopped.txtar") })
	if at < 0 {
		t.Fatal("the case is not there")
	}
	b := collect.NewBuilder(evidence.Source{Kind: "cluster", Name: "lab"}, knowledge.Signatures())
	if err := b.AddFS(found[at].Evidence); err != nil {
		t.Fatal(err)
	}
	for i := range more {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("full-%d", i)}}
		n.Status.Conditions = []corev1.NodeCondition{
			{Type: corev1.NodeReady, Status: corev1.ConditionTrue}, {Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue},
		}
		b.AddObject(n)
	}
	return knowledge.Judge(b.Snapshot())
}

// answer returns the answer to a request about a node of a judgement.
func answer(t *testing.T, j *engine.Judgement, node string) string {
	t.Helper()
	nodes := &Judged{current: func() *engine.Judgement { return j }}
	r := gate.Request{Scope: health.Node, Begun: j.At, Gated: true, Timeout: time.Minute}
	a := gate.Node(r, nodes.Judge(t.Context(), node), nil, j.At, gate.Proceed)
	return string(a.Status) + " " + a.Reason
}

// If very many nodes are unhealthy, no node is refused, not even one with a certain cause: they have a fault in common.
func TestManyUnhealthy(t *testing.T) {
	for more, want := range map[int]string{10: "False CertainFault", 300: "Unknown"} {
		if got := answer(t, judged(t, more), "real-7"); !strings.HasPrefix(got, want) {
			t.Errorf("with %d other unhealthy nodes: %s, want %s", more, got, want)
		}
	}
}

// The nodes of a recorded cluster: one has a certain cause, the others are healthy. While the engine is blind, nothing is known.
func TestJudged(t *testing.T) {
	j := judged(t, 0)
	nodes := &Judged{current: func() *engine.Judgement { return j }}
	if n := len(nodes.List()); n != 7 {
		t.Errorf("%d nodes", n)
	}
	for node, want := range map[string]string{"hollow-1": "True Healthy", "real-7": "False CertainFault", "missing": "Unknown NodeNotFound"} {
		if got := answer(t, j, node); got != want {
			t.Errorf("%s: %s, want %s", node, got, want)
		}
	}
	blind := *j
	blind.Blind = &engine.Blindness{Reason: "WatchInterrupted"}
	j = &blind
	if got := answer(t, j, "real-7"); got != "Unknown EvidenceStale" {
		t.Errorf("while the engine is blind: %s", got)
	}
}
