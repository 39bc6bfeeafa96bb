package messages

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// innermost ranks the innermost reason first if one cloud error names several reasons why the setup of a machine failed. The cloud
// wraps the machine's message in its own, so the innermost is the last.
func innermost(p *triage.Pass) {
	reasons := reasonsRead(p)
	said := map[[2]string]bool{}
	for _, r := range reasons {
		for _, other := range reasons {
			pair := [2]string{r.cause, other.cause}
			if r.cause != other.cause && !said[pair] && r.inside(other) {
				said[pair] = true
				p.Follows(r.cause, other.cause)
			}
		}
	}
}

// setUp are the reasons of a failed machine setup that one error may name together.
var setUp = []string{"provision-outbound-blocked", "provision-dns-failed", "provision-apiserver-blocked"}

// reason is a cause with its position in a message.
type reason struct {
	cause string
	at    *evidence.Match
	end   int // in the text
}

func reasonsRead(p *triage.Pass) (out []reason) {
	for _, sig := range p.Signatures.All() {
		if !slices.Contains(setUp, sig.Says) {
			continue
		}
		for _, m := range p.Snapshot.MatchesOf(sig.ID) {
			if hit := sig.Hit(m.Ref.Text); hit != "" && facts.Counts(p, sig, m) {
				out = append(out, reason{sig.Says, m, strings.LastIndex(m.Ref.Text, hit) + len(hit)})
			}
		}
	}
	return out
}

// codeAlone matches a line with the code of an error whose text is on the next line.
var codeAlone = lazyregexp.New(`(?i)^\W*(?:error ?)?code"?\s*[:=]\s*["']?\w+["']?,?\s*$`)

// inside reports whether one error names both reasons, and this one further inside.
func (r reason) inside(other reason) bool {
	a, b := r.at.Ref, other.at.Ref
	if a.Source != b.Source || r.at.Block != other.at.Block {
		return false
	}
	if a.Locator == b.Locator && a.Text == b.Text {
		return r.end > other.end
	}
	return r.at.Line > 0 && r.at.Line == other.at.Line+1 && codeAlone.MatchString(b.Text)
}
