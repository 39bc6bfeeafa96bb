package nodes

import (
	"fmt"
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
	bytes, inodes, pressed := false, false, c.Status == corev1.ConditionTrue
	var names, measured []string
	for _, fs := range []struct {
		name string
		stat *evidence.FSStat
	}{{"nodefs", k.Stats.NodeFS}, {"imagefs", k.Stats.ImageFS}} {
		if fs.stat == nil || fs.stat.Capacity == 0 || !pressed {
			continue
		}
		ref := evidence.Ref{Source: "kubelet of node/" + n.Name, Locator: "/stats/summary " + fs.name, ObservedAt: k.TakenAt}
		free := facts.Percent(fs.stat.Available, fs.stat.Capacity)
		names, measured = append(names, fs.name), append(measured, freeOf(fs.name, fs.stat))
		t, configured := facts.HardThreshold(k.Config, fs.name+".available")
		if fs.stat.Available < 2*t.Of(fs.stat.Capacity) || !configured && free < 20 {
			bytes = true
			ref.Text = fmt.Sprintf("%d %% of the space free", free)
			if configured {
				ref.Text += "; the kubelet's " + t.String()
			}
			summary := fmt.Sprintf("%s of node %s has %d %% free space", fs.name, n.Name, free)
			if high := t.Unusual(fs.stat.Capacity); high != "" {
				summary += ", and " + high
			}
			p.Found(triage.Claim{
				Says: "disk-pressure", Subject: n.Subject(), Certainty: triage.Certain, Evidence: []evidence.Ref{ref}, Key: fs.name,
				Summary: summary,
			})
		}
		if t, configured := facts.HardThreshold(k.Config, fs.name+".inodesFree"); fs.stat.Inodes > 0 &&
			(fs.stat.InodesFree < 2*t.Of(fs.stat.Inodes) || !configured && facts.Percent(fs.stat.InodesFree, fs.stat.Inodes) < 8) {
			inodes = true
			ref.Text = fmt.Sprintf("%d of %d inodes free, %d %% of the space free", fs.stat.InodesFree, fs.stat.Inodes, facts.Percent(fs.stat.Available, fs.stat.Capacity))
			p.Found(triage.Claim{
				Says: "inode-exhaustion", Subject: n.Subject(), Certainty: triage.Certain, Evidence: []evidence.Ref{ref}, Key: fs.name,
				Summary: fmt.Sprintf("%s of node %s has %d of %d inodes left", fs.name, n.Name, fs.stat.InodesFree, fs.stat.Inodes),
			})
		}
	}
	switch {
	case pressed && !bytes && !inodes && facts.Lasting(p, c):
		p.Found(triage.Claim{
			Says: "disk-pressure-false", Subject: n.Subject(), Certainty: triage.Possible,
			Summary:  "DiskPressure is True, but there is free space on " + strings.Join(names, " and ") + ": resolved, or measured incorrectly",
			Evidence: []evidence.Ref{{Source: "kubelet of node/" + n.Name, Locator: "/stats/summary", Text: strings.Join(measured, "; "), ObservedAt: k.TakenAt}},
		})
	case !pressed && n.NotReady():
		p.RuleOut("disk-pressure", n.Subject(), "its kubelet reports no DiskPressure")
	}
}

// freeOf describes the free share of bytes and inodes of a file system, as the kubelet measures it.
func freeOf(name string, fs *evidence.FSStat) string {
	text := fmt.Sprintf("%s: %d %% of the space free", name, facts.Percent(fs.Available, fs.Capacity))
	if fs.Inodes > 0 {
		text += fmt.Sprintf(", %d %% of the inodes", facts.Percent(fs.InodesFree, fs.Inodes))
	}
	return text
}
