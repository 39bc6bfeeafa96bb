package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// WrittenByHand returns the line in which a person writes a message about that cause or symptom to the kernel log. The line is in the
// text of that name, or in any text if it is empty.
func WrittenByHand(p *triage.Pass, source, says string) (evidence.Ref, bool) {
	lines := p.Snapshot.Lines()
	if source != "" {
		lines = p.Snapshot.LinesOf(source)
	}
	for _, l := range lines {
		if l.Channel != evidence.Prose || !logline.WritesKernelLog(l.Ref.Text) {
			continue
		}
		if slices.ContainsFunc(p.Signatures.Match(l.Ref.Text, evidence.TextLog), func(t signatures.Tally) bool { return t.Signature.Says == says }) {
			return l.Ref, true
		}
	}
	return evidence.Ref{}, false
}
