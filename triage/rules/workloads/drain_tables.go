package workloads

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// DrainTables reads rows of kubectl get pdb. They do not show the pods of a budget, so an exhausted one only counts if a drain was
// seen too. A budget that never allows a disruption counts if only budgets were shown.
var DrainTables = &triage.Rule{
	ID:    "drain-tables",
	Doc:   "Reads tables of kubectl get pdb. Finds PodDisruptionBudgets that never allow an eviction, and PodDisruptionBudgets that allow no eviction now, together with a cordon, a failed drain or a rejected eviction.",
	Needs: []evidence.Kind{evidence.PDBs},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Messages},
	Check: func(p *triage.Pass) {
		var exhausted, never []*evidence.PDB
		rows := 0
		for _, b := range p.Snapshot.PDBs() {
			if !b.Partial {
				continue
			}
			if rows++; b.Status.DisruptionsAllowed <= 0 {
				exhausted = append(exhausted, b)
			}
			if mechanics.NeverAllows(b) {
				never = append(never, b)
			}
		}
		sign := drainSeen(p)
		if sign == "" && budgetsAlone(p) && len(never) > 0 {
			exhausted, sign = never, fmt.Sprintf("%s never allows one, with any number of pods: a drain of their nodes waits", mechanics.Bound(never[0]))
		}
		switch {
		case rows == 0 || sign == "":
			return
		case len(exhausted) == 0:
			p.RuleOut("drain-blocked-pdb", evidence.ClusterSubject(), fmt.Sprintf("each of the %s in the table allows a disruption", wording.Count(rows, "PodDisruptionBudget")))
			return
		}
		var refs []evidence.Ref
		for _, b := range exhausted {
			refs = append(refs, b.Ref)
		}
		summary := fmt.Sprintf("no disruption allowed by %s (%s), and %s", wording.Count(len(exhausted), "PodDisruptionBudget"), wording.Some(keys(exhausted)), sign)
		if b := exhausted[0]; len(exhausted) == 1 && mechanics.AllWork(p.Snapshot, b.Namespace) {
			summary = fmt.Sprintf("PodDisruptionBudget %s/%s (%s) never allows an eviction: all of its pods are required, and none is missing", b.Namespace, b.Name, mechanics.Bound(b))
		}
		p.Found(triage.Claim{
			Says: "drain-blocked-pdb", Subject: refusedPod(p, exhausted),
			Certainty: triage.Possible, Evidence: refs[:min(len(refs), 5)],
			Fill:    map[string]string{"pdb": exhausted[0].Name, "namespace": exhausted[0].Namespace},
			Summary: summary,
		})
	},
}

// refusedPod returns the only pod in the budgets' namespace whose eviction was refused, or else the first budget.
func refusedPod(p *triage.Pass, budgets []*evidence.PDB) evidence.Subject {
	out := evidence.Subject{Kind: "PodDisruptionBudget", Namespace: budgets[0].Namespace, Name: budgets[0].Name}
	if len(budgets) > 1 {
		return out
	}
	first := out
	for _, m := range facts.Said(p, "drain-blocked-pdb") {
		pod := evidence.PodSubject(m.Fill()["namespace"], m.Fill()["pod"])
		switch {
		case pod.Name == "" || pod.Namespace != first.Namespace:
		case out != first && out != pod:
			return first
		default:
			out = pod
		}
	}
	return out
}

func keys(budgets []*evidence.PDB) []string {
	var out []string
	for _, b := range budgets {
		out = append(out, b.Namespace+"/"+b.Name)
	}
	return out
}

// budgetsAlone reports whether the evidence has nothing that could show a drain.
func budgetsAlone(p *triage.Pass) bool {
	return p.Snapshot.Covers(evidence.Nodes) == evidence.NotRead && p.Snapshot.Covers(evidence.Pods) == evidence.NotRead &&
		len(p.Snapshot.Matches()) == 0
}

// drainSeen describes what shows that nodes are being drained, or "".
func drainSeen(p *triage.Pass) string {
	for _, n := range p.Snapshot.Nodes() {
		if n.Spec.Unschedulable {
			return "node " + n.Name + " is cordoned"
		}
	}
	switch {
	case len(facts.Said(p, "eviction-refused")) > 0:
		return "evictions were rejected"
	case len(facts.Said(p, "drain-failed")) > 0:
		return "a drain failed"
	}
	return ""
}
