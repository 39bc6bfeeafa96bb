package endings

import (
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// WrittenByHand resolves messages that a person wrote to the kernel log. Nothing has failed, and other texts still count.
var WrittenByHand = &triage.Ending{
	ID:  "written-by-hand",
	Doc: "A person wrote such a message to the kernel log, as a test of a monitor.",
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		_, test := facts.WrittenByHand(p, f.Ref.Source, f.Says)
		return triage.End{By: "a person wrote such a message to the kernel log, as a test"}, test
	},
}
