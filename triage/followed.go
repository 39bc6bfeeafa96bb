package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// followed moves effects of a resolved cause to Over if they were last seen before its end: symptoms and possible causes on its
// node or object. A state without a time still holds and stays, and so does a cause that is more than possible.
func followed(in Input, all *Outcome) {
	var left []Claim
	for _, c := range all.Claims {
		sure := in.Catalog.Cause(c.Says) != nil && c.Certainty != Possible
		if c.LastSeen.IsZero() || sure {
			left = append(left, c)
			continue
		}
		there := placeOf(in.Snapshot, c.Subject)
		i := slices.IndexFunc(all.Over, func(e Ended) bool {
			near := oneThing(c.Subject, e.Claim.Subject) || oneNode(placeOf(in.Snapshot, e.Claim.Subject), there)
			return near && within(c, e) && caused(in.Catalog, e, c)
		})
		if i < 0 || slices.ContainsFunc(all.Claims, func(now Claim) bool { return now.Says == all.Over[i].Claim.Says }) {
			left = append(left, c)
			continue
		}
		cause := all.Over[i]
		all.Over = append(all.Over, Ended{Claim: c, By: "its cause is resolved: " + cause.By, At: cause.At})
	}
	all.Claims = left
}

// within reports whether a claim held only while a resolved cause lasted.
func within(c Claim, e Ended) bool {
	return !e.At.IsZero() && !c.LastSeen.After(e.At) && !c.Since.Before(e.Claim.Since)
}

// caused reports whether the resolved claim is a cause that explains the other claim.
func caused(cat *catalog.Catalog, e Ended, c Claim) bool {
	return cat.Cause(e.Claim.Says) != nil && cat.Explains(e.Claim.Says, c.Says)
}

// oneThing reports whether both subjects are the same named object, even if its node is unknown. A deleted pod is on no node.
func oneThing(a, b evidence.Subject) bool { return a == b && !a.IsZero() }

// oneNode reports whether both places are known to be on the same node.
func oneNode(a, b place) bool {
	return a.subject != (evidence.Subject{}) && a.name != "" && a.name == b.name
}
