package nodes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Percent of the allocatable resources at which a node is at its limit. Above 100 % the usage includes the reserved resources of
// the system and the kubelet.
const (
	nearlyAll = 95
	more      = 100
)

// Usage compares the usage of nodes in the metrics API with their allocatable resources. High usage alone is not a fault. On a
// working node only memory usage above allocatable counts.
var Usage = &triage.Rule{
	ID:    "node-usage",
	Doc:   "Compares CPU and memory usage (metrics API, kubectl top) with allocatable.",
	Scope: triage.OfNode,
	// Not every cluster has a metrics API: the usage commands report its absence.
	NeedsOne: []evidence.Kind{evidence.NodeMetrics, evidence.Nodes},
	Check: func(p *triage.Pass) {
		calm := 0
		for _, u := range p.Snapshot.Data().Usage {
			n := p.Snapshot.Node(u.Node)
			cpu, memory := u.CPUPercent, u.MemoryPercent
			limit := nearlyAll
			if n != nil && !n.Partial {
				cpu, memory = part(u.CPU, n.Node.Status.Allocatable.Cpu().MilliValue()), part(u.Memory, n.Node.Status.Allocatable.Memory().Value())
			}
			if cpu == 0 && memory == 0 {
				p.Unknown("the CPU and memory usage of node "+u.Node+" in percent", "its allocatable resources were not read", shell.Format("kubectl describe node {node}", u.Node))
				continue
			}
			works := n != nil && n.Ready() == evidence.True && n.Condition(corev1.NodeMemoryPressure) != nil
			if works {
				limit = more
			}
			found := false
			say := func(cause, what string, percent int, amount string) {
				found = true
				p.Found(triage.Claim{
					Says: cause, Subject: evidence.NodeSubject(u.Node), Certainty: triage.Possible, Severity: catalog.Warning,
					Summary:  fmt.Sprintf("node %s uses %d %% of its allocatable %s", u.Node, percent, what),
					Evidence: []evidence.Ref{{Source: "node/" + u.Node, Locator: "use", Text: fmt.Sprintf("%s: %s, %d %%", what, amount, percent)}},
				})
			}
			if memory >= limit {
				say("memory-pressure-oom", "memory", memory, fmt.Sprintf("%d MiB", u.Memory>>20))
			}
			if cpu >= nearlyAll && !works {
				say("cpu-starvation", "CPU", cpu, fmt.Sprintf("%dm", u.CPU))
			}
			if !found && cpu > 0 && memory > 0 {
				calm++
			}
		}
		if calm > 0 {
			for _, cause := range []string{"memory-pressure-oom", "cpu-starvation"} {
				p.RuleOut(cause, evidence.ClusterSubject(), wording.Count(calm, "node")+" with free CPU and memory according to metrics")
			}
		}
	},
}

// part returns some as a percentage of whole, or 0 if whole is unknown.
func part(some, whole int64) int {
	if whole <= 0 {
		return 0
	}
	return int(some * 100 / whole)
}
