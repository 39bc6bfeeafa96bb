package doubts

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// readsRing is how long after its start a kubelet may still read the kernel ring buffer from its beginning (cadvisor
// utils/oomparser, kubernetes pkg/kubelet/oom/oom_watcher_linux.go, 1.36.3).
const readsRing = time.Minute

// Replayed doubts kernel messages that a kubelet reported only when it started. It reads the kernel ring buffer from the oldest
// message and dates its events with the current time, so the age of the messages is unknown.
var Replayed = &triage.Doubt{
	ID:     "replayed",
	Doc:    "The kubelet logged it at its start, from kernel messages that may be old.",
	AtMost: triage.Possible,
	Reads:  []evidence.Kind{evidence.Events},
	Holds: func(p *triage.Pass, f *triage.Failure) bool {
		if f.Event == nil || f.Event.Reason != "SystemOOM" {
			return false
		}
		first := f.Event.First
		if first.IsZero() {
			first = f.Event.Last
		}
		return slices.ContainsFunc(p.Snapshot.EventsOf(f.Subject), func(e *evidence.Event) bool {
			started := e.Reason == "Starting" && e.Component == f.Event.Component
			return started && atStart(first, e) && atStart(f.Event.Last, e)
		})
	},
}

// atStart reports whether a time is shortly after the first or last start that an event records.
func atStart(t time.Time, start *evidence.Event) bool {
	for _, s := range []time.Time{start.Last, start.First} {
		if since := t.Sub(s); !s.IsZero() && since > -2*time.Second && since < readsRing {
			return true
		}
	}
	return false
}
