package messages

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// secondOpinion reports whether words that may stand for many things stand in lines that a signature reads for sure: what
// failed is said there, and what was being done is no cause ("failed to create a sandbox: dial unix containerd.sock: no such
// file" is a runtime that is down, and no failing network plugin). What brings about the sure one is still worth saying; what
// would do so only by way of something else is not, for the words would speak of that.
func secondOpinion(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) bool {
	return sig.Certainty == signatures.Possible && bothEnds(m, func(text string) bool { return readForSure(p, sig, m, text) })
}

// bothEnds reports whether the first and the last line of a match are so. One that was seen once has no other last line.
func bothEnds(m *evidence.Match, is func(text string) bool) bool {
	once := m.Count < 2 || m.LastText == ""
	return is(m.Ref.Text) && (once || is(m.LastText))
}

// readForSure reports whether another signature names another cause in the text, likely at least, or knows that what failed is
// being tried again.
func readForSure(p *triage.Pass, sig *signatures.Signature, m *evidence.Match, text string) bool {
	return slices.ContainsFunc(p.Signatures.Match(text, m.Kind), func(t signatures.Tally) bool {
		surer := t.Signature
		if surer.Says == sig.Says || bringsAbout(p, sig.Says, surer.Says) || p.Catalog.Cause(surer.Says) == nil {
			return false
		}
		return sure(surer.Heard(m.Speaker)) &&
			slices.ContainsFunc(p.Snapshot.MatchesOf(surer.ID), func(other *evidence.Match) bool {
				return (sure(surer.Certainty) || facts.TriedAgain(p, other)) && facts.SameNode(p.Snapshot, m.Subject, other.Subject) && facts.Counts(p, surer, other)
			})
	})
}

// cloudResults are what a failed request to the cloud comes to.
var cloudResults = []string{"pool-failed", "bootstrap-failed", "upgrade-failed", "scale-up-failed"}

// resultSaid reports whether a message says that a request to the cloud failed in a line that tells what came of it: both are one
// statement, of which the other says more.
func resultSaid(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) bool {
	return sig.Says == "cloud-request-failed" && bothEnds(m, func(text string) bool { return saysResult(p, m, text) })
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
