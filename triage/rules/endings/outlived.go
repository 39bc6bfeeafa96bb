package endings

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// Outlived resolves messages of a component before its exit, if it was restarted and has run for longer than before.
var Outlived = &triage.Ending{
	ID:    "outlived",
	Doc:   "The component was restarted after the message, and has been running for longer than before.",
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if f.Signature == nil {
			return triage.End{}, false
		}
		if end, ok := startedAgain(p, f.Signature, f.Match); ok {
			return end, true
		}
		for _, id := range p.Signatures.Outlived() {
			for _, same := range p.Snapshot.MatchesOf(id) {
				if !timeline.Covers(same, f.Match) {
					continue
				}
				if end, ok := startedAgain(p, p.Signatures.Lookup(id), same); ok {
					return end, true
				}
			}
		}
		return triage.End{}, false
	},
}

func startedAgain(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) (triage.End, bool) {
	for _, id := range p.Signatures.Outliving(sig) {
		for _, end := range p.Snapshot.MatchesOf(id) {
			later := facts.SameNode(p.Snapshot, m.Subject, end.Subject) && timeline.Later(m, end)
			if later && timeline.GoneOn(m, end.Last, p.Now) > timeline.Again(m) {
				return triage.End{By: fmt.Sprintf("%s has been running since it logged: %s", facts.OrUnknown(string(end.Speaker)), timeline.ShortLine(end)), At: end.Last}, true
			}
		}
	}
	return triage.End{}, false
}
