package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// NamesCause reports whether a message of a symptom also matches a signature, at least likely, of a cause other than `but`.
func NamesCause(p *triage.Pass, m *evidence.Match, but string) bool {
	return slices.ContainsFunc(p.Signatures.Match(m.Ref.Text, ""), func(t signatures.Tally) bool {
		c := p.Catalog.Cause(t.Signature.Says)
		return c != nil && c.ID != but && t.Signature.Certainty != signatures.Possible
	})
}
