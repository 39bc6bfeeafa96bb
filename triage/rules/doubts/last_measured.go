package doubts

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// probes maps signatures of measured values to the signatures of the probes that measure them. Without an answer to the probe, its
// writer repeats the last value (etcd server/etcdserver/api/rafthttp/probing_status.go).
var probes = map[string]string{"linux-etcd-clock-difference": "etcd-probe-unanswered"}

// sameProbe is the longest time between a probe and the message about its value (etcd probes every 5 s).
const sameProbe = 30 * time.Second

// LastMeasured doubts a measured value if its writer reports at the same time that the probe got no answer.
var LastMeasured = &triage.Doubt{
	ID:     "last-measured",
	Doc:    "The writer repeats the last measured value, because its probes get no answer.",
	AtMost: triage.Possible,
	Holds: func(p *triage.Pass, f *triage.Failure) bool {
		if f.Signature == nil || probes[f.Signature.ID] == "" || f.Count < 2 {
			return false
		}
		for _, m := range p.Snapshot.MatchesOf(probes[f.Signature.ID]) {
			if m.Ref.Source == f.Ref.Source && m.Block == f.Block && together(m, f.Match) {
				return true
			}
		}
		return false
	},
}

// together reports whether two messages were written in the same period.
func together(a, b *evidence.Match) bool {
	if a.Last.IsZero() || b.Last.IsZero() {
		return false
	}
	return !a.First.After(b.Last.Add(sameProbe)) && !b.First.After(a.Last.Add(sameProbe))
}
