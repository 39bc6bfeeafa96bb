package cloud

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// repairTime is how long one action of the service's auto-repair may take.
const repairTime = 20 * time.Minute

// Repair finds nodes that the cloud is repairing: leave them alone, but save the evidence first. Source: the documentation of AKS
// node auto-repair.
var Repair = &triage.Rule{
	ID:    "cloud-repair",
	Doc:   "Finds nodes on which AKS auto-repair started an action that has not ended yet.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes, evidence.Events},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Nodes() {
			if !n.NotReady() {
				continue
			}
			var last *evidence.Event
			for _, e := range p.Snapshot.EventsOf(n.Subject()) { // oldest first
				if strings.HasPrefix(e.Reason, "NodeReboot") || strings.HasPrefix(e.Reason, "NodeReimage") || strings.HasPrefix(e.Reason, "NodeRedeploy") {
					last = e
				}
			}
			if last == nil {
				p.RuleOut("cloud-repair-in-progress", n.Subject(), "no auto-repair event")
				continue
			}
			age, known := p.Age(last.Last)
			action := strings.ToLower(strings.TrimPrefix(strings.TrimSuffix(last.Reason, "Start"), "Node"))
			switch {
			case !known:
				p.Unknown("whether auto-repair of "+n.Name+" is in progress", "the time of the evidence is unknown", shell.Format("kubectl get events -A --field-selector involvedObject.name={node}", n.Name))
			case strings.HasSuffix(last.Reason, "Start") && age < repairTime:
				p.Found(triage.Claim{
					Says: "cloud-repair-in-progress", Subject: n.Subject(), Certainty: triage.Certain, Key: "repair", Since: last.Last,
					Summary:  "auto-repair started to " + action + " the node " + wording.Duration(age) + " ago: save the evidence and wait",
					Evidence: []evidence.Ref{facts.EventRef(last)},
				})
			default:
				p.RuleOut("cloud-repair-in-progress", n.Subject(), "the last auto-repair action ("+last.Reason+", "+wording.Duration(age)+" ago) has ended, and the node is still NotReady")
			}
		}
	},
}
