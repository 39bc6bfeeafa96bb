package triage

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var ruleID = lazyregexp.New(`^[a-z]+(-[a-z]+)*$`)

// Validate rejects rules with an id that is not in kebab case, without a doc or a check, or with a duplicate id.
func Validate(rules []*Rule) error {
	var errs []error
	seen := map[string]bool{}
	for _, r := range rules {
		if !ruleID.MatchString(r.ID) {
			errs = append(errs, fmt.Errorf("rule %q: the id must be in kebab case", r.ID))
		}
		if seen[r.ID] {
			errs = append(errs, fmt.Errorf("rule %s: listed twice", r.ID))
		}
		seen[r.ID] = true
		if len(r.Doc) < 20 {
			errs = append(errs, fmt.Errorf("rule %s: the doc must say what it reads and what it concludes", r.ID))
		}
		if len(r.Needs)+len(r.NeedsOne) == 0 {
			errs = append(errs, fmt.Errorf("rule %s: it must declare the evidence that it needs", r.ID))
		}
		for _, k := range slices.Concat(r.Needs, r.NeedsOne, r.Reads) {
			if k.Row() == nil {
				errs = append(errs, fmt.Errorf("rule %s: unknown kind of evidence %q", r.ID, k))
			}
		}
		if r.Check == nil {
			errs = append(errs, fmt.Errorf("rule %s: it has no check", r.ID))
		}
	}
	return errors.Join(errs...)
}
