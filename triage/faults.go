package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Independent returns the faults that are independent of each other. After the first fault, a merely possible cause without
// symptoms is left out: it may be part of another fault.
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

// Faults returns the groups of the report above info: each needs its own repair.
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
