package doubts

import (
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// Hushed doubts a message that a log, saved to its end, has not repeated for long. Its writer has recovered or hangs; the evidence
// does not show which.
var Hushed = &triage.Doubt{
	ID:     "hushed",
	Doc:    "The log is complete to its end and does not repeat the message: the component has recovered, or hangs.",
	AtMost: triage.Possible,
	Holds: func(_ *triage.Pass, f *triage.Failure) bool {
		return f.Silent > 0 && timeline.Quiet(f.Speaker, timeline.LastText(f.Match), f.Silent, timeline.Again(f.Match)/3)
	},
}
