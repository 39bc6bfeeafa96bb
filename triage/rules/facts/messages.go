package facts

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Said are the messages that speak for the cause or symptom and still hold, in the order of the signatures.
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

// LinesSaying are the messages that speak for any of the ids, each line once: several signatures know it.
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

// SaidOf are those of said that may be about the node.
func SaidOf(p *triage.Pass, id, node string) []*evidence.Match {
	var out []*evidence.Match
	for _, m := range Said(p, id) {
		if at := p.Snapshot.NodeOf(m.Subject); at == "" || at == node {
			out = append(out, m)
		}
	}
	return out
}

// SameNode reports whether two subjects may be about one node; what names no node may be.
func SameNode(s *evidence.Snapshot, a, b evidence.Subject) bool {
	na, nb := s.NodeOf(a), s.NodeOf(b)
	return na == "" || nb == "" || na == nb
}

// Texts are all lines of a match that were kept: the first, the last and those around.
func Texts(m *evidence.Match) []string {
	out := []string{m.Ref.Text}
	if m.LastText != "" {
		out = append(out, m.LastText)
	}
	return append(out, m.Context...)
}

// ReasonOf is the reason of an event.
func ReasonOf(m *evidence.Match) string {
	if m.Event != nil {
		return m.Event.Reason
	}
	return m.Ref.Locator
}

// HostOf is the node of who said an event; "" where no event was read, or it does not tell.
func HostOf(m *evidence.Match) string {
	if m.Event == nil {
		return ""
	}
	return m.Event.Host
}
