package facts

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// conditionsAtStart are what a kubelet reports of its node when it starts, before it has looked.
var conditionsAtStart = []string{"NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID"}

// transition is for how long a kubelet holds on to a pressure that is gone (eviction-pressure-transition-period): after
// that, what it said when it started is true.
const transition = 5 * time.Minute

// saidAtStart reports whether an event of a node that has enough of something comes of a start of the kubelet, which reports
// all of them at once, and not of a pressure that has ended.
func saidAtStart(p *triage.Pass, e *evidence.Event) bool {
	if !slices.Contains(conditionsAtStart, e.Reason) {
		return false
	}
	if age, known := agoOf(p, e); known && age > transition {
		return false
	}
	return slices.ContainsFunc(p.Snapshot.EventsOf(e.Object), func(other *evidence.Event) bool {
		gap, known := between(e, other)
		return known && gap.Abs() <= 2*time.Second && other.Reason != e.Reason && slices.Contains(conditionsAtStart, other.Reason)
	})
}
