package nodes

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// DiskPressure compares the node's condition with the kubelet's statistics and thresholds. The kubelet keeps the condition for five
// minutes after recovery, so up to twice the threshold still counts as pressure.
var DiskPressure = &triage.Rule{
	ID:    "disk-pressure",
	Doc:   "Checks DiskPressure against the kubelet's statistics, and distinguishes inodes from bytes.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Kubelets},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Described() {
			c := n.Condition(corev1.NodeDiskPressure)
			if c == nil || c.Status == corev1.ConditionUnknown {
				continue
			}
			k := p.Snapshot.Kubelet(n.Name)
			pressed := c.Status == corev1.ConditionTrue
			if pressed {
				facts.Stale(p, n, c)
			}
			switch {
			case k != nil && k.Stats != nil && (k.Stats.NodeFS != nil || k.Stats.ImageFS != nil):
				judgeDisks(p, n, k, c)
			case pressed:
				p.Unknown("the free disk space of "+n.Name, "its kubelet's statistics were not read",
					shell.Format("kubectl get --raw /api/v1/nodes/{node}/proxy/stats/summary; on the node: df -h and df -i", n.Name))
			}
		}
	},
}

func judgeDisks(p *triage.Pass, n *evidence.Node, k *evidence.Kubelet, c *corev1.NodeCondition) {
	if c.Status != corev1.ConditionTrue {
		if n.NotReady() {
			p.RuleOut("disk-pressure", n.Subject(), "its kubelet reports no DiskPressure")
		}
		return
	}
	full := false
	var names, measured []string
	for _, fs := range []fileSystem{{n, k, "nodefs", k.Stats.NodeFS}, {n, k, "imagefs", k.Stats.ImageFS}} {
		if fs.stat == nil || fs.stat.Capacity == 0 {
			continue
		}
		names, measured = append(names, fs.name), append(measured, fs.free())
		bytes, inodes := fs.claimBytes(p), fs.claimInodes(p)
		full = full || bytes || inodes
	}
	if !full && facts.Lasting(p, c) {
		p.Found(triage.Claim{
			Says: "disk-pressure-false", Subject: n.Subject(), Certainty: triage.Possible,
			Summary:  "DiskPressure is True, but there is free space on " + strings.Join(names, " and ") + ": resolved, or measured incorrectly",
			Evidence: []evidence.Ref{{Source: "kubelet of node/" + n.Name, Locator: "/stats/summary", Text: strings.Join(measured, "; "), ObservedAt: k.TakenAt}},
		})
	}
}
