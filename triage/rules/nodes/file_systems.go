package nodes

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// fileSystem is a file system of the kubelet of a node.
type fileSystem struct {
	node    *evidence.Node
	kubelet *evidence.Kubelet
	name    string
	stat    *evidence.FSStat
}

// claimBytes claims that the disk is full, and reports whether it did: if the free space is near the kubelet's threshold, or low if the threshold is unknown.
func (fs fileSystem) claimBytes(p *triage.Pass) bool {
	free := facts.Percent(fs.stat.Available, fs.stat.Capacity)
	threshold, configured := facts.HardThreshold(fs.kubelet.Config, fs.name+".available")
	if fs.stat.Available >= 2*threshold.Of(fs.stat.Capacity) && (configured || free >= 20) {
		return false
	}
	text := fmt.Sprintf("%d %% of the space free", free)
	if configured {
		text = threshold.Left(fs.stat.Available, fs.stat.Capacity) + "; the kubelet's " + threshold.String()
	}
	summary := fmt.Sprintf("%s of node %s has %d %% free space", fs.name, fs.node.Name, free)
	if high := threshold.Unusual(fs.stat.Capacity); high != "" {
		summary += ", and " + high
	}
	fs.found(p, "disk-pressure", text, summary)
	return true
}

// claimInodes claims that inodes are used up, and reports whether it did: if the free inodes are near the kubelet's threshold, or low if the threshold is unknown.
func (fs fileSystem) claimInodes(p *triage.Pass) bool {
	if fs.stat.Inodes == 0 {
		return false
	}
	free := facts.Percent(fs.stat.InodesFree, fs.stat.Inodes)
	threshold, configured := facts.HardThreshold(fs.kubelet.Config, fs.name+".inodesFree")
	if fs.stat.InodesFree >= 2*threshold.Of(fs.stat.Inodes) && (configured || free >= 8) {
		return false
	}
	fs.found(p, "inode-exhaustion",
		fmt.Sprintf("%d of %d inodes free, %d %% of the space free", fs.stat.InodesFree, fs.stat.Inodes, facts.Percent(fs.stat.Available, fs.stat.Capacity)),
		fmt.Sprintf("%s of node %s has %d of %d inodes left", fs.name, fs.node.Name, fs.stat.InodesFree, fs.stat.Inodes))
	return true
}

func (fs fileSystem) found(p *triage.Pass, says, text, summary string) {
	p.Found(triage.Claim{
		Says: says, Subject: fs.node.Subject(), Certainty: triage.Certain, Key: fs.name, Summary: summary,
		Evidence: []evidence.Ref{{Source: "kubelet of node/" + fs.node.Name, Locator: "/stats/summary " + fs.name, Text: text, ObservedAt: fs.kubelet.TakenAt}},
	})
}

// free describes the free share of bytes and inodes, as the kubelet measures it.
func (fs fileSystem) free() string {
	text := fmt.Sprintf("%s: %d %% of the space free", fs.name, facts.Percent(fs.stat.Available, fs.stat.Capacity))
	if fs.stat.Inodes > 0 {
		text += fmt.Sprintf(", %d %% of the inodes", facts.Percent(fs.stat.InodesFree, fs.stat.Inodes))
	}
	return text
}
