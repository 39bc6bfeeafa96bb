package workloads

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// DrainTables reads the rows of kubectl get pdb: they show a budget without its pods, so that it is a
// suspect only where a drain was seen as well.
var DrainTables = &triage.Rule{
	ID:    "drain-tables",
	Doc:   "Finds exhausted budgets in tables, where a cordon, a failed drain or a refused eviction is seen too.",
	Needs: []evidence.Kind{evidence.PDBs},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Messages},
	Check: func(p *triage.Pass) {
		var exhausted []*evidence.PDB
		rows := 0
		for _, b := range p.Snapshot.PDBs() {
			if !b.Partial {
				continue
			}
			if rows++; b.Status.DisruptionsAllowed <= 0 {
				exhausted = append(exhausted, b)
			}
		}
		sign := drainSeen(p)
		switch {
		case rows == 0 || sign == "":
			return
		case len(exhausted) == 0:
			p.RuleOut("drain-blocked-pdb", evidence.ClusterSubject(), fmt.Sprintf("each of the %s that the table shows allows a disruption", wording.Count(rows, "budget")))
			return
		}
		var names []string
		var refs []evidence.Ref
		for _, b := range exhausted {
			names = append(names, b.Namespace+"/"+b.Name)
			refs = append(refs, b.Ref)
		}
		p.Found(triage.Claim{
			Says: "drain-blocked-pdb", Subject: evidence.Subject{Kind: "PodDisruptionBudget", Namespace: exhausted[0].Namespace, Name: exhausted[0].Name},
			Confidence: triage.Possible, Evidence: refs[:min(len(refs), 5)],
			Fill:    map[string]string{"pdb": exhausted[0].Name, "namespace": exhausted[0].Namespace},
			Summary: fmt.Sprintf("no disruption is left to %s (%s), and %s", wording.Count(len(exhausted), "budget"), wording.Some(names), sign),
		})
	},
}

// drainSeen says what shows that nodes are being emptied, or "".
func drainSeen(p *triage.Pass) string {
	for _, n := range p.Snapshot.Nodes() {
		if n.Spec.Unschedulable {
			return "node " + n.Name + " is cordoned"
		}
	}
	switch {
	case len(facts.Said(p, "eviction-refused")) > 0:
		return "evictions were refused"
	case len(facts.Said(p, "drain-failed")) > 0:
		return "a drain failed"
	}
	return ""
}
