package facts

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// LastFailed returns when the problem of a transient message began. The message may be as old as the first start of the node, and a
// node starts more than once. The time is the last NodeNotReady event before the last message, or else that message.
func LastFailed(p *triage.Pass, m *evidence.Match) time.Time {
	failed := m.Last
	for _, e := range p.Snapshot.EventsOf(evidence.NodeSubject(m.Subject.Name)) {
		if e.Reason == "NodeNotReady" && !e.Last.After(m.Last) && e.Last.After(m.First) {
			failed = e.Last
		}
	}
	return failed
}
