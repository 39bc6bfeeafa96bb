package rules

import (
	"regexp"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// said are the messages that speak for the cause or symptom and still hold, in the order of the signatures.
func said(p *triage.Pass, id string) []*evidence.Match {
	var out []*evidence.Match
	for _, sig := range p.Signatures.All() {
		if sig.Says != id {
			continue
		}
		for _, m := range p.Snapshot.MatchesOf(sig.ID) {
			if counts(p, sig, m) && !over(p, m) && !early(p, m, id) {
				out = append(out, m)
			}
		}
	}
	return out
}

// linesSaying are the messages that speak for any of the ids, each line once: several signatures know it.
func linesSaying(p *triage.Pass, ids ...string) []*evidence.Match {
	var out []*evidence.Match
	seen := map[evidence.Ref]bool{}
	for _, id := range ids {
		for _, m := range said(p, id) {
			if !seen[m.Ref] {
				seen[m.Ref] = true
				out = append(out, m)
			}
		}
	}
	return out
}

// saidOf are those of said that may be about the node.
func saidOf(p *triage.Pass, id, node string) []*evidence.Match {
	var out []*evidence.Match
	for _, m := range said(p, id) {
		if at := nodeOf(p.Snapshot, m.Subject); at == "" || at == node {
			out = append(out, m)
		}
	}
	return out
}

// counts tells whether the conditions of a signature hold: one of "with" matched as well, none of "unless"
// did, about the same node.
func counts(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) bool {
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
	return (len(sig.With) == 0 || anyOf(sig.With)) && !anyOf(sig.Unless) && lasts(p, sig, m)
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

// texts are all lines of a match that were kept: the first, the last and those around.
func texts(m *evidence.Match) []string {
	out := []string{m.Ref.Text}
	if m.LastText != "" {
		out = append(out, m.LastText)
	}
	return append(out, m.Context...)
}

var placeholder = regexp.MustCompile(`\{[a-zA-Z][a-zA-Z0-9_]*\}`)

// fillSummary replaces {name} by its capture; a summary with an unknown name is dropped.
func fillSummary(text string, captures map[string]string) string {
	for name, value := range captures {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	if placeholder.MatchString(text) {
		return ""
	}
	return text
}
