package doubts

import (
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PassedOver doubts a warning that names the program's fallback.
var PassedOver = &triage.Doubt{
	ID:     "passed-over",
	Doc:    "The program logs it as a warning, and what it does instead.",
	AtMost: triage.Possible,
	Holds: func(_ *triage.Pass, f *triage.Failure) bool {
		return f.Line > 0 && warns(f) && logline.PassedOver(timeline.LastText(f.Match))
	},
}
