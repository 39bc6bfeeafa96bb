package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// EndedLater reports whether a later message of the same node shows that the cause of a line is resolved.
func EndedLater(p *triage.Pass, cause string, l *evidence.Line) bool {
	at := timeline.Position{Source: l.Ref.Source, Block: l.Block, Line: l.Number, Speaker: l.Speaker, Text: l.Ref.Text}
	if _, finished := timeline.Finished(p.Snapshot, at, cause); finished {
		return true
	}
	said := &signatures.Signature{Says: cause}
	isOver := func(end *evidence.Match) bool {
		below := end.Ref.Source == l.Ref.Source && end.Block == l.Block && end.LastLine > l.Number
		later := !l.Time.IsZero() && end.Last.After(l.Time)
		return (below || later) && SameNode(p.Snapshot, l.Subject, end.Subject)
	}
	// The line is the only one, so its pauses are unknown: the component must be stable (timeline.Again asks for three pauses).
	hasGoneOn := func(end *evidence.Match) bool {
		return isOver(end) && timeline.GoneOn(end, end.Last, p.Now) > timeline.StableAfter
	}
	return slices.ContainsFunc(p.Signatures.Ending(said), func(id string) bool { return slices.ContainsFunc(p.Snapshot.MatchesOf(id), isOver) }) ||
		slices.ContainsFunc(p.Signatures.Outliving(said), func(id string) bool { return slices.ContainsFunc(p.Snapshot.MatchesOf(id), hasGoneOn) })
}
