package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// WrittenByHand returns the line in which a person writes a message about that cause or symptom to the kernel log. The line is in the
// text of that name.
func WrittenByHand(p *triage.Pass, source, says string) (evidence.Ref, bool) {
	for _, l := range p.Snapshot.LinesOf(source) {
		if l.Channel != evidence.Prose || !logline.WritesKernelLog(l.Ref.Text) {
			continue
		}
		if slices.ContainsFunc(p.Signatures.Match(l.Ref.Text, evidence.TextLog), func(t signatures.Tally) bool { return t.Signature.Says == says }) {
			return l.Ref, true
		}
	}
	return evidence.Ref{}, false
}
