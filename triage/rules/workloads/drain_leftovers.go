package workloads

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// DrainLeftovers finds temporary changes that a nodetriage drain did not revert: suspended PodDisruptionBudgets and Deployments
// with an extra replica. A running drain renews its mark every few seconds. Cordon handles nodes.
var DrainLeftovers = &triage.Rule{
	ID:       "drain-leftovers",
	Doc:      "Finds PodDisruptionBudgets that are still suspended, and Deployments with an extra replica, after the drain that changed them has ended.",
	NeedsOne: []evidence.Kind{evidence.PDBs, evidence.Workloads},
	Check: func(p *triage.Pass) {
		for _, b := range p.Snapshot.PDBs() {
			if m, yes := b.Suspended(); yes {
				suspended(p, b, m)
			}
		}
		for _, w := range p.Snapshot.Workloads() {
			if m := w.Surged(); m != nil {
				surged(p, w, m)
			}
		}
	},
}

func suspended(p *triage.Pass, b *evidence.PDB, m *evidence.Mark) {
	key := b.Namespace + "/" + b.Name
	claim := triage.Claim{
		Says: "pdb-left-suspended", Certainty: triage.Certain, Key: evidence.MarkSuspend,
		Subject: evidence.Subject{Kind: "PodDisruptionBudget", Namespace: b.Namespace, Name: b.Name},
		Fill:    map[string]string{"pdb": b.Name, "namespace": b.Namespace},
	}
	if m == nil {
		claim.Summary = fmt.Sprintf("PodDisruptionBudget %s selects no pod: a drain suspended it, and the annotation with its original spec is missing", key)
		claim.Evidence = []evidence.Ref{{Source: "poddisruptionbudget/" + key, Locator: ".spec.selector.matchLabels", Text: evidence.MarkSuspend}}
		p.Found(claim)
		return
	}
	claim.Summary = fmt.Sprintf("PodDisruptionBudget %s selects no pod: it was suspended by a drain of %s", key, m.Who())
	left(p, claim, m, "poddisruptionbudget/"+key)
}

// surged is never certain: the replicas may have been set again since.
func surged(p *triage.Pass, w *evidence.Workload, m *evidence.Mark) {
	key := w.Namespace + "/" + w.Name
	left(p, triage.Claim{
		Says: "surge-left-behind", Certainty: triage.Likely, Key: evidence.MarkSurge, Subject: w.Subject(),
		Fill:    map[string]string{"deployment": w.Name, "namespace": w.Namespace},
		Summary: fmt.Sprintf("Deployment %s has %d replicas: one was added by a drain of %s", key, w.Replicas, m.Who()),
	}, m, "deployment/"+key)
}

// left claims a leftover of a drain, unless the drain still runs.
func left(p *triage.Pass, claim triage.Claim, m *evidence.Mark, source string) {
	age, known := p.Age(m.Renewed)
	switch {
	case !known:
		p.Unknown("whether a drain is still running that changed "+claim.Subject.String(), "the time of the evidence is unknown", "nodetriage diagnose")
		return
	case age < evidence.Abandoned:
		p.RuleOut(claim.Says, claim.Subject, "the drain that changed it is still running")
		return
	}
	claim.Since = m.At
	claim.Summary += fmt.Sprintf(" at %s, which was last active %s ago", m.At.UTC().Format("2006-01-02 15:04Z"), wording.Duration(age))
	claim.Evidence = []evidence.Ref{{Source: source, Locator: ".metadata.annotations[" + claim.Key + "]",
		Text: fmt.Sprintf("by=%s run=%s at=%s renewed=%s", m.Who(), m.Run, m.At.Format("2006-01-02T15:04:05Z"), m.Renewed.Format("2006-01-02T15:04:05Z"))}}
	p.Found(claim)
}
