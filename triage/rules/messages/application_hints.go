package messages

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// ApplicationHints reads what applications write. Anyone who runs a pod controls that text. So a cause is at most possible, and the
// text fills neither the summary nor a command.
var ApplicationHints = &triage.Rule{
	ID:    "application-hints",
	Doc:   "Reads messages of applications that match message patterns. The certainty of these findings is at most possible, and they are marked as findings about an application.",
	Needs: []evidence.Kind{evidence.Messages},
	Check: func(p *triage.Pass) {
		for _, m := range p.Snapshot.Quoted() {
			sig := p.Signatures.Lookup(m.Signature)
			if sig == nil || sig.Says == "" || reasonDropped(p, sig, m) != "" || p.HasEnded(m) {
				continue
			}
			ref := m.Ref
			ref.Hit, ref.Signature, ref.By = sig.Hit(ref.Text), sig.ID, evidence.ByApplication
			p.Found(triage.Claim{
				Says: sig.Says, Subject: m.Subject, Certainty: triage.Possible, Key: "application", Evidence: []evidence.Ref{ref},
				Since: m.First, LastSeen: m.Last,
			})
		}
	},
}
