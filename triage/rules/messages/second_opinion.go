package messages

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// secondOpinion returns a more certain signature for lines in which another one is only possible, or nil. In "failed to create a
// sandbox: dial unix containerd.sock: no such file" the runtime is down, and the network plugin is not the cause. A cause that
// directly leads to the certain one still counts. A cause that leads to it only indirectly does not, because the text would mention
// the step between.
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

// readForSure returns the signature that matches the text with a different cause, at least likely, or that marks the failure as
// being retried.
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

// countsBeside reports whether a possibly more certain signature counts on the node of a message, as certain or likely or as a
// retry.
func countsBeside(p *triage.Pass, surer *signatures.Signature, m *evidence.Match) bool {
	return slices.ContainsFunc(p.Snapshot.MatchesOf(surer.ID), func(other *evidence.Match) bool {
		says := sure(surer.Certainty) || facts.TriedAgain(p, other)
		counts := facts.SameNode(p.Snapshot, m.Subject, other.Subject) && facts.Counts(p, surer, other)
		return says && counts && !p.HasEnded(other)
	})
}

// cloudResults are the consequences of a failed cloud request.
var cloudResults = []string{"pool-failed", "bootstrap-failed", "upgrade-failed", "scale-up-failed"}

// resultSaid reports whether a message about a failed cloud request is in a line that also names the consequence. Both are one
// statement, and the consequence says more.
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

// bringsAbout reports whether a cause directly explains the other.
func bringsAbout(p *triage.Pass, id, other string) bool {
	cause := p.Catalog.Cause(id)
	return cause != nil && slices.Contains(cause.Explains, other)
}

func sure(c signatures.Certainty) bool { return c == signatures.Certain || c == signatures.Likely }
