package triage

import (
	"cmp"
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// orderedRemedy is a remedy with what decides its place among those of its finding.
type orderedRemedy struct {
	catalog.Remedy
	fit  int  // see adviser.fit
	acts bool // it has a command that applies here, or needs none
}

// leastHarmful sorts remedies: those that can be done as they are written come first, and then those that fit better. A step
// without a command here leads if all others are riskier, so that a harmful command never comes first.
func leastHarmful(list []orderedRemedy) []catalog.Remedy {
	slices.SortStableFunc(list, func(a, b orderedRemedy) int {
		switch {
		case a.acts == b.acts:
			return cmp.Compare(a.fit, b.fit)
		case a.acts:
			return -1
		}
		return 1
	})
	words := -1
	for i, r := range list {
		if !r.acts && (words < 0 || catalog.RiskRank(r.Risk) < catalog.RiskRank(list[words].Risk)) {
			words = i
		}
	}
	if words > 0 && catalog.RiskRank(list[words].Risk) < catalog.RiskRank(list[0].Risk) {
		first := list[words]
		list = slices.Insert(slices.Delete(list, words, words+1), 0, first)
	}
	out := make([]catalog.Remedy, 0, len(list))
	for _, r := range list {
		out = append(out, r.Remedy)
	}
	return out
}

// distance returns 0 for something that is for a shown variant, 1 for all variants, 2 for another variant.
func distance(of, shown []string) int {
	switch {
	case len(of) == 0:
		return 1
	case len(shown) > 0 && concerns(of, shown):
		return 0
	}
	return 2
}

// inOrder returns the list sorted by far, and otherwise in its order.
func inOrder[T any](list []T, far func(T) int) []T {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b T) int { return cmp.Compare(far(a), far(b)) })
	return out
}
