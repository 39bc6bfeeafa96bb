package facts

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// PodsOf returns how many unfinished pods a node has, as far as the evidence shows. Not all pods may have been read; a node
// description and the kubelet count them too.
func PodsOf(p *triage.Pass, n *evidence.Node) (count int, ref evidence.Ref) {
	for _, pod := range p.Snapshot.PodsOn(n.Name) {
		if !pod.Finished() {
			count++
		}
	}
	ref = NodeRef(n, "its pods", "%d pods are bound to it and have not ended", count)
	if n.PodCount > count {
		count = n.PodCount
		ref = NodeRef(n, "its pods", "%d pods have not ended", count)
	}
	if k := p.Snapshot.Kubelet(n.Name); k != nil {
		if running, ok := Metric(k, runningPods); ok && int(running) > count {
			count, ref = int(running), MetricRef(k, runningPods)
		}
	}
	return count, ref
}

// runningPods is the kubelet's count of pods with a sandbox.
const runningPods = "kubelet_running_pods"
