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
	Doc:   "Counts the pods of nodes that are silent, slow, or short of memory or process ids, against what Kubernetes is tested with and what the node accepts.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Pods, evidence.Kubelets, evidence.Messages},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Nodes() {
			count, ref := facts.PodsOf(p, n)
			if n.PodsListed > count { // a few finished pods among so many do not matter
				count, ref = n.PodsListed, facts.NodeRef(n, "its pods", "%d were listed, ended ones too", n.PodsListed)
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
				Summary: words + ": perhaps why " + trouble + ", or what makes it worse",
			})
		}
	},
}

// crowd describes a node with too many pods; "": it does not have too many.
func crowd(count, limit int) string {
	switch {
	case limit > 0 && limit < mechanics.TestedPods && count > limit+limit/10:
		return fmt.Sprintf("it has %d pods and accepts %d", count, limit)
	case count > mechanics.TestedPods:
		return fmt.Sprintf("it has %d pods, and Kubernetes is tested with %d", count, mechanics.TestedPods)
	}
	return ""
}

// strain describes a problem of the node that many pods can cause; "": none.
func strain(p *triage.Pass, n *evidence.Node) (words string, refs []evidence.Ref) {
	for _, known := range []struct {
		condition corev1.NodeConditionType
		words     string
	}{{corev1.NodeMemoryPressure, "memory is short"}, {corev1.NodePIDPressure, "process ids are short"}} {
		if c := n.Condition(known.condition); c != nil && c.Status == corev1.ConditionTrue {
			return known.words, []evidence.Ref{facts.ConditionRef(n, c)}
		}
	}
	ready := n.Condition(corev1.NodeReady)
	switch {
	case ready != nil && n.Silent():
		return "its kubelet does not keep up", []evidence.Ref{facts.ConditionRef(n, ready)}
	case ready != nil && n.NotReady() && ready.Message == "": // a table row does not give the reason
		return "it is not Ready", []evidence.Ref{facts.ConditionRef(n, ready)}
	case ready != nil && n.NotReady() && strings.Contains(strings.ToLower(ready.Message), "pleg"):
		return "the list of its containers takes too long", []evidence.Ref{facts.ConditionRef(n, ready)}
	}
	const relist = "kubelet_pleg_relist_duration_seconds"
	if k := p.Snapshot.Kubelet(n.Name); k != nil {
		if mean, relists := facts.MeanOf(k, relist, ""); relists >= fewRelists && mean > slowRelist {
			return "the list of its containers takes " + wording.Duration(mean), []evidence.Ref{facts.MetricRef(k, relist+"_sum"), facts.MetricRef(k, relist+"_count")}
		}
	}
	if facts.SaysAnyNow(p, strains, n.Subject()) {
		return "it is slow or short of something", nil
	}
	return "", nil
}
