package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
)

// Unread returns the kinds that were not read, or only in part, as NotChecked entries. An answer that rests on these kinds must
// name each of them. It must not claim that all is healthy or that an object does not exist.
func Unread(s *evidence.Snapshot, kinds ...evidence.Kind) []NotChecked {
	return asNotChecked(s.Unread(kinds...))
}

// ReadInPart is Unread without the kinds that were never requested from the source: a pasted fragment does not have most kinds.
func ReadInPart(s *evidence.Snapshot, kinds ...evidence.Kind) []NotChecked {
	return asNotChecked(s.Incomplete(kinds...))
}

func asNotChecked(gaps []evidence.Gap) []NotChecked {
	var out []NotChecked
	for _, g := range gaps {
		out = append(out, NotChecked{What: g.Title(), Why: g.Why, How: g.How})
	}
	return out
}

// kindsOf returns the kinds of the gaps, each once.
func kindsOf(gaps []evidence.Gap) []evidence.Kind {
	var out []evidence.Kind
	for _, g := range gaps {
		if !slices.Contains(out, g.Kind) {
			out = append(out, g.Kind)
		}
	}
	slices.Sort(out)
	return out
}

// restsOn returns the kinds that the rules need. A cluster without a metrics API is healthy without it.
func restsOn(rules []*Rule) []evidence.Kind {
	var out []evidence.Kind
	for _, r := range rules {
		for _, k := range slices.Concat(r.Needs, r.NeedsOne) {
			if k.OfAPI() && k != evidence.NodeMetrics && k != evidence.PodMetrics && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// overlooks reports whether the rule would draw conclusions from the absence of something that may exist.
func (r *Rule) overlooks(s *evidence.Snapshot) bool {
	return len(s.Incomplete(slices.Concat(r.Needs, r.NeedsOne)...)) > 0
}
