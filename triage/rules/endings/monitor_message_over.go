package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// MonitorMessageOver resolves a condition of a node monitor if the message that it repeats is resolved.
var MonitorMessageOver = &triage.Ending{
	ID:  "monitor-message-over",
	Doc: "A condition of the node monitor repeats a message of a resolved problem; the monitor never resets such a condition.",
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if f.Signature == nil || f.Signature.ID == stickyCondition || !byMonitor(p, f.Match) {
			return triage.End{}, false
		}
		var end triage.End
		for _, t := range p.Signatures.Match(f.Ref.Text, f.Kind) {
			for _, m := range p.Snapshot.MatchesOf(t.Signature.ID) {
				if byMonitor(p, m) || !facts.SameNode(p.Snapshot, f.Subject, m.Subject) {
					continue
				}
				over, ended := p.EndOf(m)
				if !ended {
					return triage.End{}, false
				}
				end = triage.End{By: "the problem that the monitor repeats is resolved: " + over.By, At: over.At}
			}
		}
		return end, end.By != ""
	},
}

// stickyCondition is the signature of conditions that a monitor does not reset, in texts.
const stickyCondition = "npd-sticky-condition"

// byMonitor reports whether a message was found only in conditions of a node monitor.
func byMonitor(p *triage.Pass, m *evidence.Match) bool {
	if m.Kind == evidence.TextCondition {
		return m.Speaker == logline.Monitor
	}
	return slices.ContainsFunc(p.Snapshot.MatchesOf(stickyCondition), func(c *evidence.Match) bool {
		first := m.Ref.Source == c.Ref.Source && m.Line == c.Line
		return first && m.LastLine == c.LastLine
	})
}
