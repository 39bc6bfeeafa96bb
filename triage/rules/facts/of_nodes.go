package facts

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// OfNodes returns how many nodes something is true for. If not all nodes of the cluster were read, it says so: diagnose NODE reads
// only some peers.
func OfNodes(p *triage.Pass, some, all int) string {
	out := fmt.Sprintf("%d of %d nodes", some, all)
	if p.Snapshot.Covers(evidence.Nodes) == evidence.Complete {
		return out
	}
	return out + " in the evidence"
}

// OthersReport returns how many nodes other than the one in question send heartbeats. If not all nodes of the cluster were read, it says so.
func OthersReport(p *triage.Pass, reporting, others int) string {
	out := fmt.Sprintf("%d of %d other nodes send heartbeats", reporting, others)
	switch {
	case reporting == others && others == 1:
		out = "the other node sends heartbeats"
	case reporting == others:
		out = fmt.Sprintf("the other %d nodes send heartbeats", others)
	}
	if p.Snapshot.Covers(evidence.Nodes) == evidence.Complete {
		return out
	}
	return out + " (some nodes were not read)"
}
