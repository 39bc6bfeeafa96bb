package nodes

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// strains are the causes and symptoms that too many pods can lead to.
var strains = []string{"pleg-unhealthy", "runtime-hung", "memory-pressure-oom", "pid-exhaustion", "cpu-starvation", "cannot-fork"}

// strain describes a problem of the node that many pods can cause; "": none.
func strain(p *triage.Pass, n *evidence.Node) (words string, refs []evidence.Ref) {
	if words, refs = pressure(n); words != "" {
		return words, refs
	}
	if words, refs = strainedKubelet(n); words != "" {
		return words, refs
	}
	if words, refs = slowRelists(p, n); words != "" {
		return words, refs
	}
	if facts.SaysAnyNow(p, strains, n.Subject()) {
		return "it is slow or under pressure", nil
	}
	return "", nil
}

func pressure(n *evidence.Node) (words string, refs []evidence.Ref) {
	for _, of := range []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodePIDPressure} {
		if c := n.Condition(of); c != nil && c.Status == corev1.ConditionTrue {
			return "it has " + string(of), []evidence.Ref{facts.ConditionRef(n, c)}
		}
	}
	return "", nil
}

// strainedKubelet describes a node that is NotReady for a reason that many pods can cause, or for none that was read.
func strainedKubelet(n *evidence.Node) (words string, refs []evidence.Ref) {
	ready := n.Condition(corev1.NodeReady)
	switch {
	case ready == nil:
		return "", nil
	case n.Silent():
		words = "its kubelet is overloaded"
	case n.NotReady() && ready.Message == "": // a table row does not give the reason
		words = "it is NotReady"
	case n.NotReady() && strings.Contains(strings.ToLower(ready.Message), "pleg"):
		words = "its relists (PLEG) take too long"
	default:
		return "", nil
	}
	return words, []evidence.Ref{facts.ConditionRef(n, ready)}
}

func slowRelists(p *triage.Pass, n *evidence.Node) (words string, refs []evidence.Ref) {
	const relist = "kubelet_pleg_relist_duration_seconds"
	k := p.Snapshot.Kubelet(n.Name)
	if k == nil {
		return "", nil
	}
	mean, relists := facts.MeanRelist(k)
	if relists < facts.FewRelists || mean <= facts.BusyRelist {
		return "", nil
	}
	return "its relists (PLEG) take " + wording.Duration(mean), []evidence.Ref{facts.MetricRef(k, relist+"_sum"), facts.MetricRef(k, relist+"_count")}
}
