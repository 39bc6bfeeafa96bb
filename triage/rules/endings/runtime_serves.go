package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// RuntimeServes resolves an event about a runtime socket without a server if the kubelet reports its image file system afterwards.
// It gets that from the runtime at every request (kubernetes pkg/kubelet/server/stats/summary.go, 1.36.3).
var RuntimeServes = &triage.Ending{
	ID:    "runtime-serves",
	Doc:   "Later metrics of the kubelet contain data that only a responding container runtime provides.",
	Texts: events, Dated: true,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Kubelets},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		k := p.Snapshot.Kubelet(f.Subject.Name)
		if ofNode(p, f) == nil || k == nil || !k.TakenAt.After(f.Last) {
			return triage.End{}, false
		}
		told := k.Stats != nil && k.Stats.ImageFS != nil
		silent := func(t signatures.Tally) bool { return t.Signature.Runtime == signatures.Silent }
		return triage.End{By: "the runtime answers its kubelet"}, told && slices.ContainsFunc(p.Signatures.Match(f.Ref.Text, f.Kind), silent)
	},
}
