package upgradegate

import (
	"context"
	"slices"
	"sync"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/cloud/azure/gate"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/signals"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Judged are the nodes as the engine judges them.
type Judged struct {
	current func() *engine.Judgement

	mu    sync.Mutex
	of    *engine.Judgement // whose judgements are known
	known map[string]gate.Judgement
}

// NewJudged returns the nodes of an engine.
func NewJudged(e *engine.Engine) *Judged { return &Judged{current: e.Current} }

// List returns the nodes of the newest judgement.
func (n *Judged) List() []signals.Node {
	j := n.current()
	if !j.Judged() {
		return nil
	}
	all := j.Snapshot.Nodes()
	out := make([]signals.Node, 0, len(all))
	for _, node := range all {
		_, pool := node.PoolLabel()
		out = append(out, signals.Node{Name: node.Name, Pool: pool, Image: imageOf(node)})
	}
	return out
}

// imageOf returns what an upgrade changes of a node: its image and the version of its kubelet.
func imageOf(n *evidence.Node) string {
	return triage.NodeImage(n) + " " + n.Node.Status.NodeInfo.KubeletVersion
}

// Judge returns the newest judgement of a node. While the engine is blind, nothing is known.
func (n *Judged) Judge(_ context.Context, name string) gate.Judgement {
	j := n.current()
	if j.Blind != nil || !j.Judged() {
		return gate.Judgement{}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.of != j {
		n.of, n.known = j, map[string]gate.Judgement{}
	}
	known, ok := n.known[name]
	if !ok {
		known = judge(j, name)
		n.known[name] = known
	}
	return known
}

func judge(j *engine.Judgement, name string) gate.Judgement {
	report := &triage.Report{}
	_, unclear := slices.BinarySearch(j.Unclear, name)
	if unclear { // the others have no fault, and there may be thousands
		if own, has := j.ReportOf(name); has { // else a fault that so many share is no proof against one node
			report = own
		}
	}
	out := gate.Of(j.Snapshot, report, j.Catalog(), name, j.At)
	if status := j.Node(name); unclear && status.Verdict == v1alpha1.VerdictBroken && len(out.Faults) == 0 {
		// A node that broke since the cluster was judged, one of very many, or one that a fault elsewhere keeps from working: not healthy,
		// and nothing is proven.
		out.Faults = []gate.Fault{suspicion(status.Primary)}
	}
	return out
}

// suspicion is a fault that is no proof.
func suspicion(primary *v1alpha1.CauseStatus) gate.Fault {
	if primary == nil {
		return gate.Fault{Cause: "unknown", Summary: "the node is broken", Certainty: triage.Likely}
	}
	return gate.Fault{Cause: primary.Cause, Summary: primary.Summary, Certainty: triage.Likely}
}
