package workloads

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// VolumeAttachments finds volumes with attach or detach errors, and volumes that are still attached to deleted nodes.
var VolumeAttachments = &triage.Rule{
	ID:    "volume-attachments",
	Doc:   "Reads attach and detach errors, and attachments to nodes that no longer exist.",
	Needs: []evidence.Kind{evidence.VolumeAttachments},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		complete := p.Snapshot.Covers(evidence.Nodes) == evidence.Complete
		attached, troubled := 0, 0
		for _, a := range p.Snapshot.VolumeAttachments() {
			volume := ""
			if a.Spec.Source.PersistentVolumeName != nil {
				volume = *a.Spec.Source.PersistentVolumeName
			}
			claim := triage.Claim{
				Subject: evidence.NodeSubject(a.Spec.NodeName), Key: a.Name,
				Fill: map[string]string{"volume": volume, "node": a.Spec.NodeName, "attachment": a.Name},
			}
			ref := evidence.Ref{Source: "volumeattachment/" + a.Name}
			switch {
			case a.Status.DetachError != nil:
				claim.Says, claim.Certainty = "volume-detach-stuck", triage.Likely
				ref.Locator, ref.Text, ref.ObservedAt = ".status.detachError", a.Status.DetachError.Message, a.Status.DetachError.Time.UTC()
				claim.Summary = fmt.Sprintf("volume %s cannot be detached from node %s", volume, a.Spec.NodeName)
			case a.Status.AttachError != nil && !a.Status.Attached:
				claim.Says, claim.Certainty = "volume-attach-failed", triage.Likely
				ref.Locator, ref.Text, ref.ObservedAt = ".status.attachError", a.Status.AttachError.Message, a.Status.AttachError.Time.UTC()
				claim.Summary = fmt.Sprintf("volume %s cannot be attached to node %s", volume, a.Spec.NodeName)
			case a.Status.Attached && p.Snapshot.Node(a.Spec.NodeName) == nil && complete:
				claim.Says, claim.Certainty = "volume-detach-stuck", triage.Possible
				ref.Locator, ref.Text = ".spec.nodeName", a.Spec.NodeName+": node not found"
				claim.Summary = fmt.Sprintf("volume %s is still attached to node %s, which no longer exists", volume, a.Spec.NodeName)
			default:
				if a.Status.Attached {
					attached++
				}
				continue
			}
			troubled++
			claim.Evidence = []evidence.Ref{ref}
			p.Found(claim)
		}
		if attached > 0 && troubled == 0 {
			p.RuleOut("volume-attach-failed", evidence.ClusterSubject(), fmt.Sprintf("%s without an error", wording.Count(attached, "attachment")))
		}
	},
}
