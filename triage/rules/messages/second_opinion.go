package messages

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// secondOpinion is the signature that reads for sure the lines in which words stand that may stand for many things: what
// failed is said there, and what was being done is no cause ("failed to create a sandbox: dial unix containerd.sock: no such
// file" is a runtime that is down, and no failing network plugin). What brings about the sure one is still worth saying; what
// would do so only by way of something else is not, for the words would speak of that. nil: there is none.
func secondOpinion(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) *signatures.Signature {
	if sig.Certainty != signatures.Possible {
		return nil
	}
	surer := readForSure(p, sig, m, m.Ref.Text)
	if surer == nil || m.Count < 2 || m.LastText == "" {
		return surer
	}
	return readForSure(p, sig, m, m.LastText)
}

// readForSure is the signature that names another cause in the text, likely at least, or knows that what failed is being tried again.
func readForSure(p *triage.Pass, sig *signatures.Signature, m *evidence.Match, text string) *signatures.Signature {
	for _, t := range p.Signatures.Match(text, m.Kind) {
		surer := t.Signature
		if surer.Says == sig.Says || p.Catalog.Cause(surer.Says) == nil || bringsAbout(p, sig.Says, surer.Says) {
			continue
		}
		if sure(surer.Heard(m.Speaker)) && countsBeside(p, surer, m) {
			return surer
		}
	}
	return nil
}

// countsBeside reports whether a signature that may be surer counts on the node of a message, for sure or as something that is tried again.
func countsBeside(p *triage.Pass, surer *signatures.Signature, m *evidence.Match) bool {
	return slices.ContainsFunc(p.Snapshot.MatchesOf(surer.ID), func(other *evidence.Match) bool {
		says := sure(surer.Certainty) || facts.TriedAgain(p, other)
		counts := facts.SameNode(p.Snapshot, m.Subject, other.Subject) && facts.Counts(p, surer, other)
		return says && counts && !p.HasEnded(other)
	})
}

// cloudResults are what a failed request to the cloud comes to.
var cloudResults = []string{"pool-failed", "bootstrap-failed", "upgrade-failed", "scale-up-failed"}

// resultSaid reports whether a message says that a request to the cloud failed in a line that tells what came of it: both are one
// statement, of which the other says more.
func resultSaid(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) bool {
	if sig.Says != "cloud-request-failed" || !saysResult(p, m, m.Ref.Text) {
		return false
	}
	return m.Count < 2 || m.LastText == "" || saysResult(p, m, m.LastText)
}

func saysResult(p *triage.Pass, m *evidence.Match, text string) bool {
	return slices.ContainsFunc(p.Signatures.Match(text, m.Kind), func(t signatures.Tally) bool {
		return slices.Contains(cloudResults, t.Signature.Says) && t.Signature.Heard(m.Speaker) != ""
	})
}

// bringsAbout reports whether the cause brings about the other by itself.
func bringsAbout(p *triage.Pass, id, other string) bool {
	cause := p.Catalog.Cause(id)
	return cause != nil && slices.Contains(cause.Explains, other)
}

func sure(c signatures.Certainty) bool { return c == signatures.Certain || c == signatures.Likely }
