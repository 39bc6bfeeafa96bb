package triage

import "github.com/nodetriage/nodetriage/catalog"

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
