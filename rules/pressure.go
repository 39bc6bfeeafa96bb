package rules

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// pressure compares a node's pressure conditions with what its own statistics say: plenty of room makes the
// condition stale or false, none makes it true.
var pressure = &triage.Rule{
	ID:    "pressure",
	Doc:   "Judges MemoryPressure and DiskPressure by the kubelet's statistics.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Data().Nodes {
			k := p.Snapshot.Kubelet(n.Name)
			if isTrue(n, corev1.NodeMemoryPressure) {
				memoryPressure(p, n, k)
			}
			if isTrue(n, corev1.NodeDiskPressure) {
				diskPressure(p, n, k)
			}
		}
	},
}

// The kubelet keeps a pressure condition for five minutes after the last threshold was crossed, so room
// counts as plenty only well above the default thresholds (100Mi; 10 %, 15 %, 5 % of inodes).
const plentyOfMemory = 2 << 30 // bytes

func memoryPressure(p *triage.Pass, n *evidence.Node, k *evidence.Kubelet) {
	if k == nil || k.Stats == nil || k.Stats.MemoryAvailable == nil {
		return
	}
	available := *k.Stats.MemoryAvailable
	ref := evidence.Ref{
		Source: "kubelet of node/" + n.Name, Locator: "/stats/summary node.memory.availableBytes",
		Text: fmt.Sprintf("%d MiB", available>>20), ObservedAt: k.TakenAt,
	}
	switch {
	case available > plentyOfMemory:
		p.Found(triage.Claim{
			Says: "memory-pressure-false", Subject: n.Subject(), Confidence: triage.Possible, Evidence: []evidence.Ref{ref},
			Summary: fmt.Sprintf("MemoryPressure is True although %d MiB are available: over, or measured wrongly", available>>20),
		})
	case available < 300<<20:
		p.Found(triage.Claim{
			Says: "memory-pressure-oom", Subject: n.Subject(), Confidence: triage.Certain, Evidence: []evidence.Ref{ref}, Key: "stats",
			Summary: fmt.Sprintf("the node has %d MiB of memory left", available>>20),
		})
	}
}

func diskPressure(p *triage.Pass, n *evidence.Node, k *evidence.Kubelet) {
	if k == nil || k.Stats == nil {
		return
	}
	short, seen := false, false
	for name, fs := range map[string]*evidence.FSStat{"nodefs": k.Stats.NodeFS, "imagefs": k.Stats.ImageFS} {
		if fs == nil || fs.Capacity == 0 {
			continue
		}
		seen = true
		ref := evidence.Ref{Source: "kubelet of node/" + n.Name, Locator: "/stats/summary " + name, ObservedAt: k.TakenAt}
		if free := percent(fs.Available, fs.Capacity); free < 20 {
			short = true
			ref.Text = fmt.Sprintf("%d %% of the bytes free", free)
			p.Found(triage.Claim{
				Says: "disk-pressure", Subject: n.Subject(), Confidence: triage.Certain, Evidence: []evidence.Ref{ref}, Key: name,
				Summary: fmt.Sprintf("%s of node %s has %d %% of its bytes free", name, n.Name, free),
			})
		}
		if fs.Inodes > 0 && percent(fs.InodesFree, fs.Inodes) < 8 {
			short = true
			ref.Text = fmt.Sprintf("%d of %d inodes free", fs.InodesFree, fs.Inodes)
			p.Found(triage.Claim{
				Says: "inode-exhaustion", Subject: n.Subject(), Confidence: triage.Certain, Evidence: []evidence.Ref{ref}, Key: name,
				Summary: fmt.Sprintf("%s of node %s has %d of %d inodes left", name, n.Name, fs.InodesFree, fs.Inodes),
			})
		}
	}
	if seen && !short {
		p.Found(triage.Claim{
			Says: "disk-pressure-false", Subject: n.Subject(), Confidence: triage.Possible,
			Summary:  "DiskPressure is True although nodefs and imagefs have room: over, or measured wrongly",
			Evidence: []evidence.Ref{{Source: "kubelet of node/" + n.Name, Locator: "/stats/summary", Text: "more than 20 % of bytes and 8 % of inodes free", ObservedAt: k.TakenAt}},
		})
	}
}

func percent(part, whole uint64) int {
	if whole == 0 {
		return 0
	}
	return int(float64(part) / float64(whole) * 100)
}
