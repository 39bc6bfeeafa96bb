package facts

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Said returns the current messages for the cause or symptom, in the order of the signatures.
func Said(p *triage.Pass, id string) []*evidence.Match {
	var out []*evidence.Match
	for _, sig := range p.Signatures.All() {
		if sig.Says != id {
			continue
		}
		for _, m := range p.Snapshot.MatchesOf(sig.ID) {
			if Counts(p, sig, m) && !p.HasEnded(m) && !Starting(p, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// LinesSaying returns the current messages for any of the ids, each line once, because several signatures may match it.
func LinesSaying(p *triage.Pass, ids ...string) []*evidence.Match {
	var out []*evidence.Match
	seen := map[evidence.Ref]bool{}
	for _, id := range ids {
		for _, m := range Said(p, id) {
			if !seen[m.Ref.Place()] {
				seen[m.Ref.Place()] = true
				out = append(out, m)
			}
		}
	}
	return out
}

// SaidOf returns the messages of Said that may be about the node.
func SaidOf(p *triage.Pass, id, node string) []*evidence.Match {
	var out []*evidence.Match
	for _, m := range Said(p, id) {
		if at := p.Snapshot.NodeOf(m.Subject); at == "" || at == node {
			out = append(out, m)
		}
	}
	return out
}

// SameNode reports whether two subjects may be on the same node. A subject without a node may be on any.
func SameNode(s *evidence.Snapshot, a, b evidence.Subject) bool {
	na, nb := s.NodeOf(a), s.NodeOf(b)
	return na == "" || nb == "" || na == nb
}

// Texts returns the stored lines of a match: the first, the last and those around.
func Texts(m *evidence.Match) []string {
	out := []string{m.Ref.Text}
	if m.LastText != "" {
		out = append(out, m.LastText)
	}
	return append(out, m.Context...)
}

// ReasonOf returns the reason of an event.
func ReasonOf(m *evidence.Match) string {
	if m.Event != nil {
		return m.Event.Reason
	}
	return m.Ref.Locator
}

// HostOf returns the node of an event's reporter, or "" if it is unknown.
func HostOf(m *evidence.Match) string {
	if m.Event == nil {
		return ""
	}
	return m.Event.Host
}
