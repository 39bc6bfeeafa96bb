package workloads

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// DrainLeftovers finds budgets that a drain of nodetriage suspended and that nobody restored: the drain
// renews its mark every few seconds as long as it runs.
var DrainLeftovers = &triage.Rule{
	ID:    "drain-leftovers",
	Doc:   "Finds budgets that are still suspended although the drain that did it is no longer running.",
	Needs: []evidence.Kind{evidence.PDBs},
	Check: func(p *triage.Pass) {
		for _, b := range p.Snapshot.PDBs() {
			m := evidence.ReadMark(b.Annotations, evidence.MarkSuspend)
			if m == nil {
				continue
			}
			subject := evidence.Subject{Kind: "PodDisruptionBudget", Namespace: b.Namespace, Name: b.Name}
			age, known := p.Age(m.Renewed)
			switch {
			case !known:
				p.Unknown("whether the drain still runs that suspended budget "+b.Namespace+"/"+b.Name, "the evidence tells no time", "nodetriage diagnose")
				continue
			case age < evidence.Abandoned:
				p.RuleOut("pdb-left-suspended", subject, "the drain that suspended it still runs")
				continue
			}
			p.Found(triage.Claim{
				Says: "pdb-left-suspended", Subject: subject, Confidence: triage.Certain, Since: m.At, Key: evidence.MarkSuspend,
				Fill: map[string]string{"pdb": b.Name, "namespace": b.Namespace},
				Summary: fmt.Sprintf("budget %s/%s was suspended by a drain of %s, which was last active %s ago; nodetriage drain --restore restores it",
					b.Namespace, b.Name, m.By, wording.Duration(age)),
				Evidence: []evidence.Ref{{Source: "poddisruptionbudget/" + b.Namespace + "/" + b.Name, Locator: ".metadata.annotations[" + evidence.MarkSuspend + "]",
					Text: fmt.Sprintf("by=%s run=%s at=%s renewed=%s", m.By, m.Run, m.At.Format("2006-01-02T15:04:05Z"), m.Renewed.Format("2006-01-02T15:04:05Z"))}},
			})
		}
	},
}
