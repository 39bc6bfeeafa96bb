package doubts

import "github.com/nodetriage/nodetriage/triage"

// All returns every doubt.
func All() []*triage.Doubt {
	return []*triage.Doubt{Contradicted, Hushed, LastMeasured, LongAgo, OfTwoTexts, PassedOver, Replayed, SaidOver, Supposed, Unmounted, Unrepeated, WarnedBefore, WriterWorks}
}
