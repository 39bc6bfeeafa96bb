package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// APIServerCameUp resolves crashes of an API server if the kubelet of its node, which it had refused, registers the node later.
var APIServerCameUp = &triage.Ending{
	ID:   "api-server-came-up",
	Doc:  "The kubelet of a control plane node could not reach the API server, and registered the node after the last crash of the API server's container.",
	Ends: []string{"control-plane"},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if !restarting.MatchString(timeline.LastText(f.Match)) {
			return triage.End{}, false
		}
		for _, registered := range p.Snapshot.MatchesOf("endings-kubelet-registered") {
			if facts.SameNode(p.Snapshot, f.Subject, registered.Subject) && timeline.Later(f.Match, registered) && refusedBefore(p, registered) {
				return triage.End{By: "the kubelet reached the API server: " + timeline.ShortLine(registered), At: registered.Last}, true
			}
		}
		return triage.End{}, false
	},
}

// restarting matches the kubelet's back-off before it restarts the container of an API server (kubernetes
// pkg/kubelet/kuberuntime/kuberuntime_manager.go, 1.36.3).
var restarting = lazyregexp.New(`back-off \S{1,20} restarting failed container=kube-apiserver\b`)

// refusedBefore reports whether the kubelet could not reach an API server before. If other API servers serve the cluster, it
// reaches one of them, which proves nothing about its own node's.
func refusedBefore(p *triage.Pass, registered *evidence.Match) bool {
	return slices.ContainsFunc(p.Snapshot.Matches(), func(m *evidence.Match) bool {
		sig := p.Signatures.Lookup(m.Signature)
		refused := sig != nil && sig.Says == "apiserver-unreachable" && m.Speaker == registered.Speaker
		return refused && facts.SameNode(p.Snapshot, m.Subject, registered.Subject) && timeline.Later(m, registered)
	})
}
