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
	Doc:   "Finds pods that wait for a volume that is still attached to a NotReady node.",
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
		p.Unknown("the node "+holder+", to which volume "+volume+" is attached", "it was not read", shell.Format("kubectl get node {node}", holder))
		return
	}
	if !n.NotReady() {
		p.RuleOut("node-lost", n.Subject(), "it is Ready; volume "+volume+", which pod "+pod.Key()+" waits for, is attached to it")
		return
	}
	down, known := p.Age(facts.Since(n))
	refs := []evidence.Ref{
		{Source: "volumeattachment/" + attachment, Locator: ".spec.nodeName", Text: fmt.Sprintf("%s is attached to %s", volume, holder)},
		facts.NodeRef(n, ".status.conditions[Ready]", "NotReady since %s", facts.Since(n).Format(time.RFC3339)),
	}
	next := "it is detached " + wording.Duration(mechanics.ForceDetach) + " after the old pod is deleted"
	if known && down > mechanics.ForceDetach {
		next = "it is not detached before the old pod is deleted"
	}
	p.Found(triage.Claim{
		Says: "volume-multi-attach", Subject: pod.Subject(), Certainty: triage.Certain, Evidence: refs, Since: pod.Created,
		Fill:    map[string]string{"volume": volume, "node": holder, "pod": pod.Name, "namespace": pod.Namespace},
		Summary: fmt.Sprintf("pod %s waits for volume %s, which is still attached to NotReady node %s; %s", pod.Key(), volume, holder, next),
	})
	if n.Silent() && known && down > mechanics.ForceDetach {
		p.Found(triage.Claim{
			Says: "node-lost", Subject: n.Subject(), Certainty: triage.Possible, Evidence: refs, Since: facts.Since(n), Key: "volume",
			Summary: fmt.Sprintf("the node has been unreachable for %s; volume %s, which pod %s waits for, is attached to it", wording.Duration(down), volume, pod.Key()),
		})
	}
}
