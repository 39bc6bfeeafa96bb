package nodes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// strains are the causes and symptoms that too many pods can lead to.
var strains = []string{"pleg-unhealthy", "runtime-hung", "memory-pressure-oom", "pid-exhaustion", "cpu-starvation", "cannot-fork"}

// A relist is due every second and takes milliseconds on a healthy node; with fewer relists the mean is not reliable.
const (
	slowRelist = 3 * time.Second
	fewRelists = 10
)

// CrowdedNodes finds nodes with many pods and a problem that many pods can cause. A dense healthy node is not a fault.
var CrowdedNodes = &triage.Rule{
	ID:    "crowded-nodes",
	Doc:   "Compares the pod count of nodes that are NotReady, slow, or under memory or PID pressure with the node's limit and the number that Kubernetes is tested with.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Pods, evidence.Kubelets, evidence.Messages},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Nodes() {
			count, ref := facts.PodsOf(p, n)
			if n.PodsListed > count { // a few finished pods among so many do not matter
				count, ref = n.PodsListed, facts.NodeRef(n, "its pods", "%d pods listed, including finished ones", n.PodsListed)
			}
			limit := int(n.Node.Status.Allocatable.Name(corev1.ResourcePods, "").Value())
			words := crowd(count, limit)
			if words == "" {
				continue
			}
			trouble, why := strain(p, n)
			if trouble == "" {
				continue
			}
			p.Found(triage.Claim{
				Says: "node-overcrowded", Subject: n.Subject(), Certainty: triage.Possible, Evidence: slices.Concat([]evidence.Ref{ref}, why),
				Summary: words + ", a possible reason why " + trouble,
			})
		}
	},
}

// crowd describes a node with too many pods; "": it does not have too many.
func crowd(count, limit int) string {
	switch {
	case limit > 0 && limit < mechanics.TestedPods && count > limit+limit/10:
		return fmt.Sprintf("the node has %d pods, but its limit is %d", count, limit)
	case count > mechanics.TestedPods:
		return fmt.Sprintf("the node has %d pods (Kubernetes is tested with up to %d)", count, mechanics.TestedPods)
	}
	return ""
}

// strain describes a problem of the node that many pods can cause; "": none.
func strain(p *triage.Pass, n *evidence.Node) (words string, refs []evidence.Ref) {
	for _, known := range []struct {
		condition corev1.NodeConditionType
		words     string
	}{{corev1.NodeMemoryPressure, "it has MemoryPressure"}, {corev1.NodePIDPressure, "it has PIDPressure"}} {
		if c := n.Condition(known.condition); c != nil && c.Status == corev1.ConditionTrue {
			return known.words, []evidence.Ref{facts.ConditionRef(n, c)}
		}
	}
	ready := n.Condition(corev1.NodeReady)
	switch {
	case ready != nil && n.Silent():
		return "its kubelet is overloaded", []evidence.Ref{facts.ConditionRef(n, ready)}
	case ready != nil && n.NotReady() && ready.Message == "": // a table row does not give the reason
		return "it is NotReady", []evidence.Ref{facts.ConditionRef(n, ready)}
	case ready != nil && n.NotReady() && strings.Contains(strings.ToLower(ready.Message), "pleg"):
		return "its relists (PLEG) take too long", []evidence.Ref{facts.ConditionRef(n, ready)}
	}
	const relist = "kubelet_pleg_relist_duration_seconds"
	if k := p.Snapshot.Kubelet(n.Name); k != nil {
		if mean, relists := facts.MeanOf(k, relist, ""); relists >= fewRelists && mean > slowRelist {
			return "its relists (PLEG) take " + wording.Duration(mean), []evidence.Ref{facts.MetricRef(k, relist+"_sum"), facts.MetricRef(k, relist+"_count")}
		}
	}
	if facts.SaysAnyNow(p, strains, n.Subject()) {
		return "it is slow or under pressure", nil
	}
	return "", nil
}
