package rules

import "github.com/nodetriage/nodetriage/triage"

// All returns every rule, in the order in which they run. No rule depends on another.
func All() []*triage.Rule {
	return []*triage.Rule{
		signatureMatches,
	}
}
