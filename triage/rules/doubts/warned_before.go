package doubts

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// WarnedBefore doubts a warning of a component that later gave a different reason for its exit.
var WarnedBefore = &triage.Doubt{
	ID:     "warned-before",
	Doc:    "The program logs it as a warning, and a different reason later, before it exited.",
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

// lastLines is how many lines may follow the last message of a program: its supervisor reports the exit.
const lastLines = 3

// endsUnread reports whether a later line without a signature reports the exit of the failure's writer, with a reason.
func endsUnread(p *triage.Pass, f *triage.Failure, l *evidence.Line) bool {
	later := l.Block == f.Block && l.Number > f.LastLine
	last := (l.LastBeforeExit || l.After < lastLines) && l.Speaker == f.Speaker && l.Speaker != logline.Kernel
	ends := last && l.Gravity == logline.Fatal && logline.KindOf(l.Ref.Text) != ""
	return later && ends && logline.Decides(l.Ref.Text) >= 0 && len(p.Signatures.Match(l.Ref.Text, "")) == 0
}

// oneBreath is the time within which a warning and an exit belong to one failure: the warning then has the details.
const oneBreath = time.Second

// givesReason reports whether a message is about the exit of its writer and names a different cause.
func givesReason(p *triage.Pass, f *triage.Failure, m *evidence.Match) bool {
	if gap, known := logline.Apart(timeline.LastText(f.Match), m.Ref.Text); known && gap < oneBreath {
		return false
	}
	says := p.FailureOf(m).Says
	return says != f.Says && p.Catalog.Cause(says) != nil && logline.GravityOf(m.Ref.Text) == logline.Fatal
}
