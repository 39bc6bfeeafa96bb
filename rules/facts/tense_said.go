package facts

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// takenBack reports whether a later message of the same node says the opposite. A line that two signatures read is over for both.
func takenBack(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	if sig == nil {
		return ending{}, false
	}
	if end, ok := endedBy(p, sig, m); ok {
		return end, true
	}
	for _, sharper := range p.Signatures.Sharper(sig) {
		for _, same := range p.Snapshot.MatchesOf(sharper.ID) {
			if metAll(same, m) {
				return endedBy(p, sharper, same)
			}
		}
	}
	return ending{}, false
}

func endedBy(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) (ending, bool) {
	for _, id := range p.Signatures.Ending(sig) {
		for _, end := range p.Snapshot.MatchesOf(id) {
			if !SameNode(p.Snapshot, m.Subject, end.Subject) || !later(m, end) || ofAnotherPod(m, end) {
				continue
			}
			if end.Event != nil && saidAtStart(p, end.Event) {
				continue
			}
			return ending{fmt.Sprintf("%s said later: %s", OrUnknown(string(end.Speaker)), shortLine(end)), end.Last}, true
		}
	}
	return ending{}, false
}

// outlived reports whether the component that said something before it ended was started again, and works on for longer than it
// did before.
func outlived(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	if sig == nil {
		return ending{}, false
	}
	if end, ok := outlivedBy(p, sig, m); ok {
		return end, true
	}
	for _, id := range p.Signatures.Outlived() {
		for _, same := range p.Snapshot.MatchesOf(id) {
			if !metAll(same, m) {
				continue
			}
			if end, ok := outlivedBy(p, p.Signatures.Lookup(id), same); ok {
				return end, true
			}
		}
	}
	return ending{}, false
}

func outlivedBy(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) (ending, bool) {
	long := again(m)
	for _, id := range p.Signatures.Outliving(sig) {
		for _, end := range p.Snapshot.MatchesOf(id) {
			if SameNode(p.Snapshot, m.Subject, end.Subject) && later(m, end) && goneOn(p, m, end.Last) > long {
				return ending{fmt.Sprintf("%s said later, and has gone on since: %s", OrUnknown(string(end.Speaker)), shortLine(end)), end.Last}, true
			}
		}
	}
	return ending{}, false
}

// again is after how long without a message that what brings it about would have brought it once more: three of its pauses.
func again(m *evidence.Match) time.Duration {
	return max(settled, 3*m.Span/time.Duration(max(m.Count-1, 1)))
}

// goneOn is for how long after a time what was said could have been said again: as far as the log goes, or all events of the evidence.
func goneOn(p *triage.Pass, m *evidence.Match, since time.Time) time.Duration {
	switch age, known := p.Age(since); {
	case m.Event != nil && known:
		return age
	case m.Event != nil || m.Until.IsZero():
		return 0
	}
	return m.Until.Sub(since)
}

// metAll reports whether one signature met the lines that another met: as often at the least, from the first to the last of them.
func metAll(a, b *evidence.Match) bool {
	if b.Line == 0 || a.Ref.Source != b.Ref.Source || a.Block != b.Block {
		return false
	}
	last := a.LastLine >= b.LastLine && !a.Last.Before(b.Last) // what a report keeps of a line has its time alone
	return a.Count >= b.Count && a.Line <= b.Line && last
}

// EndedLater reports whether something of the same node said later that the cause is over of which a line may speak.
func EndedLater(p *triage.Pass, cause string, l *evidence.Line) bool {
	said := &signatures.Signature{Says: cause}
	isOver := func(end *evidence.Match) bool {
		after := end.Last.After(l.Time) && !l.Time.IsZero() || end.Ref.Source == l.Ref.Source && end.Block == l.Block && end.LastLine > l.Number
		return after && SameNode(p.Snapshot, l.Subject, end.Subject)
	}
	hasGoneOn := func(end *evidence.Match) bool { return isOver(end) && goneOn(p, end, end.Last) > settled }
	return slices.ContainsFunc(p.Signatures.Ending(said), func(id string) bool { return slices.ContainsFunc(p.Snapshot.MatchesOf(id), isOver) }) ||
		slices.ContainsFunc(p.Signatures.Outliving(said), func(id string) bool { return slices.ContainsFunc(p.Snapshot.MatchesOf(id), hasGoneOn) })
}
