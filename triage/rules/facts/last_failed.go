package facts

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// LastFailed is when that began which a transient message tells of: the message may be as old as the node's first start, and a
// node starts more than once. It is when the node last stopped being Ready before the message came last, or else that.
func LastFailed(p *triage.Pass, m *evidence.Match) time.Time {
	failed := m.Last
	for _, e := range p.Snapshot.EventsOf(evidence.NodeSubject(m.Subject.Name)) {
		if e.Reason == "NodeNotReady" && !e.Last.After(m.Last) && e.Last.After(m.First) {
			failed = e.Last
		}
	}
	return failed
}
