package workloads

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// LostVolumes finds volumes that a pod waits for and that are still attached to a NotReady node. The node is the reason, not the
// volume.
var LostVolumes = &triage.Rule{
	ID:    "lost-volumes",
	Doc:   "Joins attachments on nodes that are not Ready with pods elsewhere that wait for the volume.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Claims, evidence.VolumeAttachments},
	Check: func(p *triage.Pass) {
		waiting := map[string][]*evidence.Pod{} // by volume
		bound := map[string]string{}            // claim -> volume
		for _, c := range p.Snapshot.Claims() {
			bound[c.Namespace+"/"+c.Name] = c.Spec.VolumeName
		}
		for _, pod := range p.Snapshot.Pods() {
			if pod.Spec == nil || pod.Phase != corev1.PodPending || pod.Deleting() {
				continue
			}
			for _, v := range pod.Spec.Volumes {
				if v.PersistentVolumeClaim != nil {
					name := bound[pod.Namespace+"/"+v.PersistentVolumeClaim.ClaimName]
					waiting[name] = append(waiting[name], pod)
				}
			}
		}
		for _, a := range p.Snapshot.VolumeAttachments() {
			if a.Spec.Source.PersistentVolumeName == nil || !a.Status.Attached {
				continue
			}
			volume := *a.Spec.Source.PersistentVolumeName
			for _, pod := range waiting[volume] {
				if pod.Node == "" || pod.Node == a.Spec.NodeName {
					continue
				}
				holds(p, pod, volume, a.Name, a.Spec.NodeName)
			}
		}
	},
}

func holds(p *triage.Pass, pod *evidence.Pod, volume, attachment, holder string) {
	n := p.Snapshot.Node(holder)
	if n == nil {
		p.Unknown("the node "+holder+", which holds volume "+volume, "it was not read", shell.Format("kubectl get node {node}", holder))
		return
	}
	if !n.NotReady() {
		p.RuleOut("node-lost", n.Subject(), "it is Ready and holds volume "+volume+", which pod "+pod.Key()+" waits for")
		return
	}
	down, known := p.Age(facts.Since(n))
	refs := []evidence.Ref{
		{Source: "volumeattachment/" + attachment, Locator: ".spec.nodeName", Text: fmt.Sprintf("%s is attached to %s", volume, holder)},
		facts.NodeRef(n, ".status.conditions[Ready]", "not Ready since %s", facts.Since(n).Format(time.RFC3339)),
	}
	next := "it is taken from there " + wording.Duration(mechanics.ForceDetach) + " after its old pod has gone"
	if known && down > mechanics.ForceDetach {
		next = "its old pod must go before it can be taken from there"
	}
	p.Found(triage.Claim{
		Says: "volume-multi-attach", Subject: pod.Subject(), Certainty: triage.Certain, Evidence: refs, Since: pod.Created,
		Fill:    map[string]string{"volume": volume, "node": holder, "pod": pod.Name, "namespace": pod.Namespace},
		Summary: fmt.Sprintf("pod %s waits for volume %s, which node %s still holds although it is not Ready; %s", pod.Key(), volume, holder, next),
	})
	if n.Silent() && known && down > mechanics.ForceDetach {
		p.Found(triage.Claim{
			Says: "node-lost", Subject: n.Subject(), Certainty: triage.Possible, Evidence: refs, Since: facts.Since(n), Key: "volume",
			Summary: fmt.Sprintf("the node has been silent for %s and holds volume %s, which pod %s waits for", wording.Duration(down), volume, pod.Key()),
		})
	}
}
