package triage

import (
	"maps"
	"math"
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Scores. The weight of a single claim is its certainty. Independent claims add up, but never reach the next certainty: possible
// ends below 0.6, likely below 0.9. Severity scales the order. It can move a likely cause before a certain warning, and a possible
// cause before a likely info, but never a possible cause before a certain one; only a bonus can (see bonuses in findings.go).

// combine returns the score of independent claims. The strongest counts in full. All others together close at most 30 % of the
// distance to 1, so that many weak claims never become certain.
func combine(weights map[string]float64) float64 {
	list := slices.Sorted(maps.Values(weights)) // sorted, so that every run gives the same result
	if len(list) == 0 {
		return 0
	}
	best := list[len(list)-1]
	rest := 1.0
	for _, w := range list[:len(list)-1] {
		rest *= 1 - w
	}
	return min(best+(1-best)*0.3*(1-rest), 0.99)
}

func certainty(score float64) Certainty {
	switch {
	case score >= 0.9:
		return Certain
	case score >= 0.6:
		return Likely
	}
	return Possible
}

// demotes reports whether a root is certain enough to come before another cause: a likely cause may come before a certain one, a
// possible cause only before another possible one.
func demotes(root, effect float64) bool {
	return certainty(root) != Possible || certainty(effect) == Possible
}

// severityFactor is the factor by which severity changes the order of causes. Critical and error nearly tie, because both break
// something; a warning or an info comes first only if it is surer by a whole step.
var severityFactor = map[catalog.Severity]float64{catalog.Critical: 1, catalog.Error: 0.97, catalog.Warning: 0.85, catalog.Info: 0.67}

func round(f float64) float64 { return math.Round(f*100) / 100 }

// fine rounds to a thousandth for a trace, because that much can decide the order.
func fine(f float64) float64 { return math.Round(f*1000) / 1000 }
