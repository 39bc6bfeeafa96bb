package cloud

import (
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Disks finds machines that are Failed only because a disk could not be attached or detached; the node often works.
var Disks = &triage.Rule{
	ID:    "cloud-disks",
	Doc:   "Finds VMs in state Failed if only their disks failed, according to their instance view.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.CloudState},
	Reads: []evidence.Kind{evidence.CloudLog},
	Check: func(p *triage.Pass) {
		byNode, _ := facts.Machines(p)
		for _, host := range facts.SortedKeys(byNode) {
			m := byNode[host]
			subject := evidence.NodeSubject(host)
			disks, extensions := strings.Join(m.FailedDisks, ", "), strings.Join(m.FailedExtensions, ", ")
			switch {
			case m.Stage == evidence.StageUnknown && m.State == "":
			case !m.Failed():
				p.RuleOut("cloud-disk-detach-failed", subject, "the VM's provisioning state is "+facts.OrUnknown(m.State))
			case disks != "" && extensions == "":
				c := triage.Claim{
					Says: "cloud-disk-detach-failed", Subject: subject, Certainty: triage.Likely, Key: "disk",
					Summary:  "the VM is Failed after a disk operation: " + disks,
					Evidence: []evidence.Ref{facts.CloudRef(m, "disks", "failed: "+disks), facts.CloudRef(m, "provisioningState", m.State)},
				}
				if a := failedWrite(p, m); a != nil {
					c.Certainty, c.Since = triage.Certain, a.Time
					c.Evidence = append(c.Evidence, facts.ActivityRef(a))
				}
				p.Found(c)
			case extensions == "" && m.Answer == "" && len(m.Errors) == 0:
				p.Unknown("why VM "+host+" is Failed", "its instance view was not read", showMachine(p, m))
			}
		}
	},
}

// showMachine returns the command that shows the instance view of a machine, in a scale set or standalone.
func showMachine(p *triage.Pass, m *evidence.CloudMachine) shell.Text {
	switch {
	case m.Number == "" && m.ID != "":
		return facts.Cloud(p).Command(advice.ShowOtherMachine, m.ID)
	case m.Number == "" && m.Name != "":
		return facts.Cloud(p).Command(advice.ShowNamedMachine, m.Name, m.Group)
	}
	return facts.Cloud(p).Command(advice.ShowMachine, m.Number)
}

// failedWrite returns the last failed write of the machine itself, which attaches and detaches disks.
func failedWrite(p *triage.Pass, m *evidence.CloudMachine) *evidence.CloudActivity {
	var last *evidence.CloudActivity
	for _, a := range p.Snapshot.Data().CloudActivities {
		own := m.ID != "" && strings.EqualFold(a.Resource, m.ID)
		write := strings.HasSuffix(strings.ToLower(a.Operation), "virtualmachines/write")
		if own && write && a.Failed() && a.NewerThan(last) {
			last = a
		}
	}
	return last
}
