package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// NamesCause reports whether a message of a symptom names a cause other than that one, by what is more than a guess.
func NamesCause(p *triage.Pass, m *evidence.Match, but string) bool {
	return slices.ContainsFunc(p.Signatures.Match(m.Ref.Text, ""), func(t signatures.Tally) bool {
		c := p.Catalog.Cause(t.Signature.Says)
		return c != nil && c.ID != but && t.Signature.Certainty != signatures.Possible
	})
}
