package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// followed moves to what is over what followed from a cause that is over there, and was not said after its end: symptoms and
// causes that are only possible; a sure symptom only of the same object. What an object shows now has no last time and stays.
func followed(in Input, all *Outcome) {
	var left []Claim
	for _, c := range all.Claims {
		sure := c.Certainty != "" && c.Certainty != Possible
		if c.LastSeen.IsZero() || sure && in.Catalog.Cause(c.Says) != nil {
			left = append(left, c)
			continue
		}
		there := placeOf(in.Snapshot, c.Subject)
		i := slices.IndexFunc(all.Over, func(e Ended) bool {
			same := oneThing(c.Subject, e.Claim.Subject)
			near := !sure && oneNode(placeOf(in.Snapshot, e.Claim.Subject), there)
			return (same || near) && within(c, e) && brought(in.Catalog, e, c)
		})
		if i < 0 || slices.ContainsFunc(all.Claims, func(now Claim) bool { return now.Says == all.Over[i].Claim.Says }) {
			left = append(left, c)
			continue
		}
		cause := all.Over[i]
		all.Over = append(all.Over, Ended{Claim: c, By: "what it followed from is over: " + cause.By, At: cause.At})
	}
	all.Claims = left
}

// within reports whether a claim was true only while a cause lasted that is over.
func within(c Claim, e Ended) bool {
	return !e.At.IsZero() && !c.LastSeen.After(e.At) && !c.Since.Before(e.Claim.Since)
}

// brought reports whether what is over was a cause, and one that accounts for a claim.
func brought(cat *catalog.Catalog, e Ended, c Claim) bool {
	return cat.Cause(e.Claim.Says) != nil && cat.Explains(e.Claim.Says, c.Says)
}

// oneThing reports whether both are about the same, be it known where that is or not: a pod that is gone is on no node.
func oneThing(a, b evidence.Subject) bool { return a == b && !a.IsZero() }

// oneNode reports whether both are known to be on one node.
func oneNode(a, b place) bool {
	return a.subject != (evidence.Subject{}) && a.name != "" && a.name == b.name
}
