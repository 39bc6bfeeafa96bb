package doubts

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// WarnedBefore doubts a warning of a component that said something else before it ended: that is its reason.
var WarnedBefore = &triage.Doubt{
	ID:     "warned-before",
	Doc:    "Its writer calls it a warning, and gives another reason later, before it ended.",
	AtMost: triage.Possible,
	Reads:  []evidence.Kind{evidence.Nodes, evidence.Pods},
	Holds: func(p *triage.Pass, f *triage.Failure) bool {
		if f.Line == 0 || !warns(f) {
			return false
		}
		return slices.ContainsFunc(p.Snapshot.LinesOf(f.Ref.Source), func(l *evidence.Line) bool { return endsUnread(p, f, l) }) ||
			slices.ContainsFunc(p.Snapshot.Matches(), func(m *evidence.Match) bool {
				later := m.Ref.Source == f.Ref.Source && m.Block == f.Block && m.Line > f.LastLine
				return later && m.Speaker == f.Speaker && givesReason(p, f, m)
			})
	},
}

// lastLines are how many lines may stand behind that with which a program ends: what starts it says so.
const lastLines = 3

// endsUnread reports whether a line that no signature knows tells later of the end of the writer of a failure, and why.
func endsUnread(p *triage.Pass, f *triage.Failure, l *evidence.Line) bool {
	later := l.Block == f.Block && l.Number > f.LastLine
	last := (l.Parting || l.After < lastLines) && l.Speaker == f.Speaker && l.Speaker != logline.Kernel
	ends := last && l.Gravity == logline.Fatal && logline.KindOf(l.Ref.Text) != ""
	return later && ends && logline.Decides(l.Ref.Text) >= 0 && len(p.Signatures.Match(l.Ref.Text, "")) == 0
}

// oneBreath is within what time a warning and an end are of one failure: the warning has the details then.
const oneBreath = time.Second

// givesReason reports whether a message is of the end of its writer, and names a cause, which is not that of the failure.
func givesReason(p *triage.Pass, f *triage.Failure, m *evidence.Match) bool {
	if gap, known := logline.Apart(timeline.LastText(f.Match), m.Ref.Text); known && gap < oneBreath {
		return false
	}
	says := p.FailureOf(m).Says
	return says != f.Says && p.Catalog.Cause(says) != nil && logline.GravityOf(m.Ref.Text) == logline.Fatal
}
