package rules

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// signatureMatches turns every matched message into a claim of what its signature says, if the signature's
// conditions hold: one of "with" matched as well, none of "unless" did, about the same node.
var signatureMatches = &triage.Rule{
	ID:  "signature-matches",
	Doc: "Reads the messages that signatures recognise in logs, events, conditions and statuses.",
	Check: func(p *triage.Pass) {
		for _, sig := range p.Signatures.All() {
			for _, m := range p.Snapshot.MatchesOf(sig.ID) {
				if !holds(p, sig, m) {
					continue
				}
				ref := m.Ref
				if m.Count > 1 {
					ref.Locator = strings.TrimSpace(fmt.Sprintf("%s (%d times)", ref.Locator, m.Count))
				}
				p.Found(triage.Claim{
					Says: sig.Says, Subject: m.Subject, Confidence: triage.Confidence(sig.Certainty),
					Summary: fillSummary(sig.Summary, m.Captures), Evidence: []evidence.Ref{ref},
					Fill: m.Captures, Since: m.First, Key: sig.ID,
				})
			}
		}
	},
}

func holds(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) bool {
	anyOf := func(ids []string) bool {
		for _, id := range ids {
			for _, other := range p.Snapshot.MatchesOf(id) {
				if sameNode(p.Snapshot, m.Subject, other.Subject) {
					return true
				}
			}
		}
		return false
	}
	return (len(sig.With) == 0 || anyOf(sig.With)) && !anyOf(sig.Unless)
}

// sameNode tells whether two subjects may be about one node; what names no node may be.
func sameNode(s *evidence.Snapshot, a, b evidence.Subject) bool {
	na, nb := nodeOf(s, a), nodeOf(s, b)
	return na == "" || nb == "" || na == nb
}

func nodeOf(s *evidence.Snapshot, about evidence.Subject) string {
	switch about.Kind {
	case "Node":
		return about.Name
	case "Pod":
		if p := s.Pod(about.Namespace, about.Name); p != nil {
			return p.Node
		}
	}
	return ""
}

// fillSummary replaces {name} by its capture; a summary with an unknown name is dropped.
func fillSummary(text string, captures map[string]string) string {
	for name, value := range captures {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	if strings.ContainsAny(text, "{}") {
		return ""
	}
	return text
}
