package nodes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// The kubelet reports MemoryPressure below 100 MiB (memory.available, its default threshold) and keeps the condition for five
// minutes longer.
const (
	littleMemory   = 300 << 20 // bytes: still at the threshold, seen with some delay
	plentyOfMemory = 2 << 30   // bytes: above any threshold in use
)

// MemoryPressure compares the node's condition with the kubelet's statistics. Much free memory shows a stale or false condition,
// little a true one. Unknown means that the kubelet is unreachable, not pressure.
var MemoryPressure = &triage.Rule{
	ID:    "memory-pressure",
	Doc:   "Checks MemoryPressure against the kubelet's statistics.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Kubelets},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Described() {
			c := n.Condition(corev1.NodeMemoryPressure)
			if c == nil || c.Status == corev1.ConditionUnknown {
				continue
			}
			pressed := c.Status == corev1.ConditionTrue
			if pressed {
				facts.Stale(p, n, c)
			}
			k := p.Snapshot.Kubelet(n.Name)
			if k == nil || k.Stats == nil || k.Stats.MemoryAvailable == nil {
				if pressed {
					p.Unknown("the available memory of "+n.Name, "its kubelet's statistics were not read",
						shell.Format("kubectl get --raw /api/v1/nodes/{node}/proxy/stats/summary", n.Name))
				}
				continue
			}
			available := *k.Stats.MemoryAvailable
			t, configured := facts.HardThreshold(k.Config, "memory.available")
			total := uint64(n.Node.Status.Capacity.Memory().Value())
			little, plenty := uint64(littleMemory), uint64(plentyOfMemory)
			if configured {
				little, plenty = max(little, t.Of(total)*11/10), max(plenty, t.Of(total)*2)
			}
			claim := triage.Claim{Subject: n.Subject(), Evidence: []evidence.Ref{{
				Source: "kubelet of node/" + n.Name, Locator: "/stats/summary node.memory.availableBytes",
				Text: fmt.Sprintf("%d MiB", available>>20), ObservedAt: k.TakenAt,
			}}}
			if configured {
				claim.Evidence[0].Text += "; the kubelet's " + t.String()
			}
			switch {
			case pressed && available > plenty && facts.Lasting(p, c):
				claim.Says, claim.Certainty = "memory-pressure-false", triage.Possible
				claim.Summary = fmt.Sprintf("MemoryPressure is True, but %d MiB are available: resolved, or measured incorrectly", available>>20)
			case pressed && available < little:
				claim.Says, claim.Certainty = "memory-pressure-oom", triage.Certain
				claim.Summary = fmt.Sprintf("the node has %d MiB of available memory", available>>20)
				if high := t.Unusual(total); high != "" && available > littleMemory {
					claim.Summary += fmt.Sprintf(" of %d MiB, and %s", total>>20, high)
				}
			case n.NotReady() && available > plenty:
				p.RuleOut("memory-pressure-oom", n.Subject(), fmt.Sprintf("%d MiB of memory are available", available>>20))
				continue
			default:
				continue
			}
			p.Found(claim)
		}
	},
}
