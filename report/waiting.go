package report

import (
	"time"

	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// screenWaiting is how many reasons for which pods wait the one-screen form lists.
const screenWaiting = 3

// waitingSays is one reason for which pods wait, with since when.
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

// waiting is the pods that look for a node, of which nobody can say yet that something is wrong.
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
