package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// SaysNow reports whether a message of the signature counts on the subject's node.
func SaysNow(p *triage.Pass, id string, on evidence.Subject) bool {
	sig := p.Signatures.Lookup(id)
	return sig != nil && slices.ContainsFunc(p.Snapshot.MatchesOf(id), func(m *evidence.Match) bool {
		return SameNode(p.Snapshot, m.Subject, on) && Counts(p, sig, m)
	})
}
