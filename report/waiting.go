package report

import (
	"time"

	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// screenWaiting is the number of reasons why pods wait in the one-screen form.
const screenWaiting = 3

// waitingSays returns one reason why pods wait, and since when.
func waitingSays(w triage.Waiting, now *time.Time) string {
	out := wording.Counted(len(w.Pods), "pod is pending", "pods are pending")
	if when := lasting(w.Since, nil, now); when != "" {
		out += ", " + when
	}
	return joined(": ", out, w.Reason)
}

func waitingList(r *triage.Report) []string {
	return apply(r.Waiting, func(w triage.Waiting) string { return waitingSays(w, r.TakenAt) })
}

// waiting writes the pods that wait for a node without a known problem.
func (s *screen) waiting(d *diagnosis) {
	if len(d.waiting) == 0 {
		return
	}
	s.section("Pending pods")
	limit := s.limit(screenWaiting, len(d.waiting))
	for i, says := range d.waiting[:limit] {
		s.paragraph(says)
		s.command(string(d.Waiting[i].How))
	}
	s.more(len(d.waiting)-limit, margin, "reason", "reasons")
}
