package doubts

import (
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// Hushed doubts a message that a log, saved to its end, has not repeated for long. Its writer has recovered or hangs; the evidence
// does not show which.
var Hushed = &triage.Doubt{
	ID:     "hushed",
	Doc:    "The log was saved to its end and has nothing more of it: its writer has got over it, or hangs.",
	AtMost: triage.Possible,
	Holds: func(_ *triage.Pass, f *triage.Failure) bool {
		return f.Silent > 0 && timeline.Quiet(f.Speaker, timeline.LastText(f.Match), f.Silent, timeline.Again(f.Match)/3)
	},
}
