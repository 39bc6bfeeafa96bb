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
	out := wording.Counted(len(w.Pods), "pod waits for a node", "pods wait for a node")
	if when := lasting(w.Since, nil, now); when != "" {
		out += ", " + when
	}
	return joined(": ", out, w.Reason)
}

func waitingList(r *triage.Report) []string {
	return apply(r.Waiting, func(w triage.Waiting) string { return waitingSays(w, r.TakenAt) })
}

// waiting writes the pods that wait for a node without a known problem.
func (s *screen) waiting(r *triage.Report) {
	list := waitingList(r)
	if len(list) == 0 {
		return
	}
	s.section("Waiting")
	limit := s.limit(screenWaiting, len(list))
	for i, says := range list[:limit] {
		s.paragraph(says)
		s.command(string(r.Waiting[i].How))
	}
	s.more(len(list)-limit, margin, "reason", "reasons")
}

func (m *markdown) waiting(r *triage.Report) {
	for i, says := range waitingList(r) {
		if i == 0 {
			m.line("\n### Waiting\n")
		}
		m.line("- %s: %s", mdText(says), mdCode(string(r.Waiting[i].How)))
	}
}
