package doubts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
)

// SaidOver doubts messages in a text in which a person says that the problem is gone.
var SaidOver = &triage.Doubt{
	ID:     "said-over",
	Doc:    "The pasted text says that the problem is resolved.",
	AtMost: triage.Possible,
	Holds: func(p *triage.Pass, f *triage.Failure) bool {
		return slices.ContainsFunc(p.Snapshot.LinesOf(f.Ref.Source), func(l *evidence.Line) bool {
			return l.Channel == evidence.Prose && logline.SaysOver(l.Ref.Text)
		})
	},
}
