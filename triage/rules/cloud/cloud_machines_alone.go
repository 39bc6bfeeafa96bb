package cloud

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// MachinesAlone reads machine states if the nodes were not read. A failed machine may be why its pool failed, although its node may
// work.
var MachinesAlone = &triage.Rule{
	ID:    "cloud-machines-alone",
	Doc:   "If the nodes were not read, finds VMs that are Failed or off in the VM list of the cloud.",
	Needs: []evidence.Kind{evidence.CloudState},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		byNode, _ := facts.Machines(p)
		for _, host := range facts.SortedKeys(byNode) {
			m := byNode[host]
			if m.Joins != evidence.True || p.Snapshot.Node(host) != nil || p.Snapshot.Covers(evidence.Nodes) == evidence.Complete {
				continue
			}
			subject := evidence.NodeSubject(host)
			switch {
			case m.Up.Off():
				p.Found(triage.Claim{
					Says: "machine-off", Subject: subject, Certainty: triage.Likely, Key: "machine", Summary: "the cloud reports the VM as " + m.Power,
					Evidence: []evidence.Ref{facts.CloudRef(m, "powerState", m.Power)},
				})
			case !m.Failed():
				if m.Stage == evidence.StageDone {
					p.RuleOut("cloud-vm-failed", subject, "the VM's provisioning state is "+m.State)
				}
			case len(m.Errors)+len(m.FailedDisks)+len(m.FailedExtensions) == 0: // errors give the reason
				p.Found(triage.Claim{
					Says: "cloud-vm-failed", Subject: subject, Certainty: triage.Possible, Key: "machine",
					Summary:  "the VM's provisioning state is Failed; the reason and the state of its node were not read",
					Evidence: []evidence.Ref{facts.CloudRef(m, "provisioningState", m.State)},
				})
			}
		}
	},
}
