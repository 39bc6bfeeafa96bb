package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Independent are the faults that the evidence shows to be independent of each other. A cause behind the first one that is only
// possible, and brings about nothing that was seen, may be a part of another fault, or nothing.
func (r *Report) Independent() []Group {
	confident := map[string]bool{}
	for _, f := range r.Findings {
		confident[f.Cause] = f.Certainty != Possible && f.Severity != catalog.Info
	}
	var out []Group
	for i, g := range r.Faults() {
		if i == 0 || len(g.Symptoms) > 0 || slices.ContainsFunc(g.Findings, func(cause string) bool { return confident[cause] }) {
			out = append(out, g)
		}
	}
	return out
}

// Faults are the groups of the report that are more than information: what has to be repaired, each on its own.
func (r *Report) Faults() []Group {
	severity := map[string]catalog.Severity{}
	for _, f := range r.Findings {
		severity[f.Cause] = f.Severity
	}
	var out []Group
	for _, g := range r.Groups {
		grave := len(g.Findings) == 0
		for _, cause := range g.Findings {
			grave = grave || severity[cause] != catalog.Info
		}
		if grave {
			out = append(out, g)
		}
	}
	return out
}
