package triage

import (
	"cmp"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

const maxOverRefs = 3 // pieces of evidence per resolved cause

// over joins resolved claims by cause and subject, the newest first. A cause that is also a current finding on the subject, or on a
// related object, is not resolved. Symptoms are left out.
func (g *graph) over(list []Ended) []Over {
	type key struct {
		cause   string
		subject evidence.Subject
	}
	out := []Over{}
	at := map[key]int{}
	for _, e := range list {
		c := e.Claim
		cause := g.in.Catalog.Cause(c.Says)
		if cause == nil || g.holds(c.Says, c.Subject) || !g.in.inScope(placeOf(g.in.Snapshot, c.Subject)) {
			continue
		}
		k := key{c.Says, c.Subject}
		i, known := at[k]
		if !known {
			i = len(out)
			at[k] = i
			out = append(out, Over{Cause: c.Says, Title: titleOf(cause, []*statement{{claims: []Claim{c}}}), Subject: c.Subject, Evidence: []evidence.Ref{}})
		}
		o := &out[i]
		o.From = earlier(o.From, c.Since)
		if to := e.end(); o.EndedBy == "" || to.After(zero(o.To)) {
			o.EndedBy = e.By
		}
		o.To = newer(o.To, e.end())
		for _, ref := range c.Evidence {
			if len(o.Evidence) < maxOverRefs && !slices.ContainsFunc(o.Evidence, ref.SamePlace) {
				o.Evidence = append(o.Evidence, ref)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Over) int {
		return cmp.Or(zero(b.To).Compare(zero(a.To)), cmp.Compare(a.Cause, b.Cause), compareSubjects(a.Subject, b.Subject))
	})
	return out
}

// end returns when the claim ended, or else when it was last seen.
func (e Ended) end() time.Time {
	if e.At.IsZero() {
		return e.Claim.LastSeen
	}
	return e.At
}

func zero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

func earlier(t *time.Time, u time.Time) *time.Time {
	if u.IsZero() || t != nil && !u.Before(*t) {
		return t
	}
	return &u
}

func newer(t *time.Time, u time.Time) *time.Time {
	if u.IsZero() || t != nil && !u.After(*t) {
		return t
	}
	return &u
}
