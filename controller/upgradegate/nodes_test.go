package upgradegate

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/cloud/azure/gate"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence"
)

// The nodes of a recorded cluster: one has a certain cause, the others are healthy. While the engine is blind, nothing is known.
func TestJudged(t *testing.T) {
	knowledge, err := engine.NewKnowledge("test")
	if err != nil {
		t.Fatal(err)
	}
	found, err := cases.Find("../../cases/runtime-down")
	if err != nil {
		t.Fatal(err)
	}
	var j *engine.Judgement
	for _, c := range found {
		if c.Truth.Source == "lab scenario runtime-stopped, Kubernetes v1.36.3" {
			b := collect.NewBuilder(evidence.Source{Kind: "cluster", Name: "lab"}, knowledge.Signatures())
			if err := b.AddFS(c.Evidence); err != nil {
				t.Fatal(err)
			}
			j = knowledge.Judge(b.Snapshot())
		}
	}
	if j == nil {
		t.Fatal("the case is not there")
	}
	nodes := &Judged{current: func() *engine.Judgement { return j }}
	if n := len(nodes.List()); n != 7 {
		t.Errorf("%d nodes", n)
	}
	answer := func(node string) string {
		r := gate.Request{Scope: health.Node, Begun: j.At, Gated: true, Timeout: time.Minute}
		a := gate.Node(r, nodes.Judge(t.Context(), node), nil, j.At, gate.Proceed)
		return string(a.Status) + " " + a.Reason
	}
	for node, want := range map[string]string{"hollow-1": "True Healthy", "real-7": "False CertainFault", "missing": "Unknown NodeNotFound"} {
		if got := answer(node); got != want {
			t.Errorf("%s: %s, want %s", node, got, want)
		}
	}
	blind := *j
	blind.Blind = &engine.Blindness{Reason: "WatchInterrupted"}
	j = &blind
	if got := answer("real-7"); got != "Unknown EvidenceStale" {
		t.Errorf("while the engine is blind: %s", got)
	}
}
