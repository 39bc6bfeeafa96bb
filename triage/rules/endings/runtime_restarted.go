package endings

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// RuntimeRestarted resolves log lines about a refused runtime socket that are from a restart: they span less than a minute, and the
// runtime answered afterwards. If the socket comes and goes for longer, there is a problem.
var RuntimeRestarted = &triage.Ending{
	ID:    "runtime-restarted",
	Doc:   "The runtime's socket was not served for less than a minute, and the runtime answered afterwards.",
	Texts: logs,
	Reads: []evidence.Kind{evidence.NodeReports, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if !silentRuntime(f) {
			return triage.End{}, false
		}
		first, last := facts.Spoken(p, f.Match)
		if last.IsZero() || last.Sub(first) > runtimeRestart {
			return triage.End{}, false
		}
		return triage.End{By: "the runtime answered again"}, answeredReport(p, f) || saidToAnswer(p, f, last)
	},
}

// runtimeRestart is how long a runtime may be unavailable during a restart.
const runtimeRestart = time.Minute

// answeredReport reports whether the runtime answered a later node report.
func answeredReport(p *triage.Pass, f *triage.Failure) bool {
	return slices.ContainsFunc(p.Snapshot.NodeReports(), func(r *nodereport.Report) bool {
		later := r.TakenAt.After(f.Last) && !f.Last.IsZero() && facts.SameNode(p.Snapshot, f.Subject, evidence.NodeSubject(r.Node))
		return later && r.Runtime != nil && r.Runtime.Answer == "ok"
	})
}

// saidToAnswer reports whether a later line of the same log shows that the runtime answers.
func saidToAnswer(p *triage.Pass, f *triage.Failure, last time.Time) bool {
	for _, sig := range p.Signatures.All() {
		if sig.Runtime != signatures.Answers {
			continue
		}
		for _, other := range p.Snapshot.MatchesOf(sig.ID) {
			if other.Ref.Source != f.Ref.Source || !facts.SameNode(p.Snapshot, f.Subject, other.Subject) {
				continue
			}
			if _, at := facts.Spoken(p, other); at.After(last) {
				return true
			}
		}
	}
	return false
}

// silentRuntime reports whether a message is one that a kubelet logs while nothing serves the runtime socket.
func silentRuntime(f *triage.Failure) bool {
	return f.Signature != nil && f.Signature.Runtime == signatures.Silent
}
