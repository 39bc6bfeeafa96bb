package cloud

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Machines finds the machine behind a NotReady node in the cloud state: deleted, off, failed, or running without an answer from
// inside.
var Machines = &triage.Rule{
	ID:    "cloud-machines",
	Doc:   "Compares NotReady nodes with the state of their VMs in the cloud.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.CloudState, evidence.Pods},
	Check: func(p *triage.Pass) {
		byNode, byID := facts.Machines(p)
		sets := listedSets(p, byID)
		var unseen []string
		for _, n := range p.Snapshot.Nodes() {
			if r, _ := facts.Leaving(p, n); r != nil || !n.NotReady() {
				continue
			}
			id := machineID(n)
			m := byID[id]
			if m == nil {
				m = byNode[strings.ToLower(n.Name)]
			}
			switch {
			case m != nil:
				judgeMachine(p, n, m)
			case id == "": // a table row has no provider ID
			case sets[parent(id)] > 0: // the other machines of its scale set were listed
				p.Found(triage.Claim{
					Says: "cloud-node-deleted", Subject: n.Subject(), Certainty: triage.Likely, Since: facts.Since(n),
					Evidence: []evidence.Ref{facts.NodeRef(n, ".spec.providerID", "%s", n.Spec.ProviderID)},
					Summary: fmt.Sprintf("the scale set has %s, and the node's VM is not among them",
						wording.Count(sets[parent(id)], "machine")),
				})
			case evidence.InCloud(n) || len(byID)+len(byNode) > 0: // or some machines were read, but not this one
				unseen = append(unseen, n.Name)
			}
		}
		if len(unseen) > 0 {
			p.Unknown("the VMs of "+wording.Some(unseen), "their state in the cloud was not read",
				facts.Cloud(p).Command(advice.ShowMachines)+", or the equivalent of your cloud")
		}
	},
}

// judgeMachine checks the state of the node's machine.
func judgeMachine(p *triage.Pass, n *evidence.Node, m *evidence.CloudMachine) {
	c := triage.Claim{Subject: n.Subject(), Since: facts.Since(n), Key: "machine"}
	if m.Answers == evidence.False && m.ReadInstead != "" && m.Up == evidence.PowerOn {
		p.Unknown("why the VM of "+n.Name+" does not respond", "nothing inside the VM answers, and its boot log was not read: this needs more than read access", m.ReadInstead)
	}
	if m.TakenBack == evidence.True {
		p.Found(triage.Claim{
			Says: "cloud-spot-eviction", Subject: n.Subject(), Since: c.Since, Key: "machine", Certainty: triage.Certain,
			Summary: "the cloud evicted the node's spot VM", Evidence: []evidence.Ref{facts.CloudRef(m, "powerState", m.Power)},
		})
	}
	switch {
	case m.Up == evidence.PowerEnded:
		c.Says, c.Certainty = "cloud-node-deleted", triage.Certain
		c.Summary, c.Evidence = "the cloud reports the VM as "+m.Power, []evidence.Ref{facts.CloudRef(m, "powerState", m.Power)}
	case m.Up.Off():
		c.Says, c.Certainty = "machine-off", triage.Certain
		c.Summary, c.Evidence = "the cloud reports the VM as "+m.Power, []evidence.Ref{facts.CloudRef(m, "powerState", m.Power)}
		if m.Up == evidence.PowerReleased && (facts.SpotLabel(n) != "" || m.Spot == evidence.True) {
			p.Found(triage.Claim{
				Says: "cloud-spot-eviction", Subject: n.Subject(), Since: c.Since, Key: "machine", Certainty: triage.Likely, Evidence: c.Evidence,
				Summary: "the node's spot VM is deallocated: the cloud evicted it",
			})
		}
	case m.Failed():
		c.Says, c.Certainty = "cloud-vm-failed", triage.Likely
		c.Summary, c.Evidence = "the VM's provisioning state is Failed", []evidence.Ref{facts.CloudRef(m, "provisioningState", m.State)}
	case m.Up == evidence.PowerOn && n.Silent() && m.Answers == evidence.False:
		c.Says, c.Certainty = "node-lost", triage.Likely
		c.Summary = "the VM is powered on, but neither its kubelet nor its " + m.Inside + " answers: it is hung or has no network"
		c.Evidence = []evidence.Ref{facts.CloudRef(m, m.AnswerAt, m.Answer), facts.CloudRef(m, "powerState", m.Power)}
	default:
		because := fmt.Sprintf("its VM exists (power state %s, provisioning state %s)", facts.OrUnknown(m.Power), facts.OrUnknown(m.State))
		p.RuleOut("cloud-node-deleted", n.Subject(), because)
		if m.Up == evidence.PowerOn {
			p.RuleOut("machine-off", n.Subject(), because)
		}
		return
	}
	p.Found(c)
}
