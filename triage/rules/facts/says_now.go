package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// SaysNow reports whether a message of the signature counts on the subject's node, and is not over.
func SaysNow(p *triage.Pass, id string, on evidence.Subject) bool {
	sig := p.Signatures.Lookup(id)
	return sig != nil && slices.ContainsFunc(p.Snapshot.MatchesOf(id), func(m *evidence.Match) bool {
		return SameNode(p.Snapshot, m.Subject, on) && Counts(p, sig, m) && !p.HasEnded(m)
	})
}

// SaysAnyNow reports whether a message of any of the causes or symptoms counts on the subject's node.
func SaysAnyNow(p *triage.Pass, says []string, on evidence.Subject) bool {
	return slices.ContainsFunc(p.Signatures.All(), func(sig *signatures.Signature) bool {
		return slices.Contains(says, sig.Says) && SaysNow(p, sig.ID, on)
	})
}

// NobodyServes reports whether a kubelet currently reports that nothing serves its runtime socket. A hanging runtime still accepts
// connections.
func NobodyServes(p *triage.Pass, node evidence.Subject) bool {
	return slices.ContainsFunc(p.Signatures.All(), func(sig *signatures.Signature) bool {
		return sig.Runtime == signatures.Silent && SaysNow(p, sig.ID, node)
	})
}
