package workloads

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// VolumeAffinity finds pending pods whose volume works on some nodes only, if none of these exists or is schedulable: a local disk
// on a deleted node, a zonal disk in a zone without nodes.
var VolumeAffinity = &triage.Rule{
	ID:    "volume-affinity",
	Doc:   "Compares the node affinity of Pending pods' volumes with the existing nodes.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Claims, evidence.Volumes},
	Check: func(p *triage.Pass) {
		claims := map[string]*corev1.PersistentVolumeClaim{}
		for _, c := range p.Snapshot.Claims() {
			claims[c.Namespace+"/"+c.Name] = c
		}
		volumes := map[string]*corev1.PersistentVolume{}
		for _, v := range p.Snapshot.Volumes() {
			volumes[v.Name] = v
		}
		for _, pod := range p.Snapshot.PodsOn("") {
			if pod.Phase != corev1.PodPending || pod.Spec == nil || facts.Young(p, pod) {
				continue
			}
			for _, v := range pod.Spec.Volumes {
				if v.PersistentVolumeClaim == nil {
					continue
				}
				c := claims[pod.Namespace+"/"+v.PersistentVolumeClaim.ClaimName]
				if c == nil || volumes[c.Spec.VolumeName] == nil {
					continue
				}
				judgeVolume(p, pod, c, volumes[c.Spec.VolumeName])
			}
		}
	},
}

func judgeVolume(p *triage.Pass, pod *evidence.Pod, claim *corev1.PersistentVolumeClaim, v *corev1.PersistentVolume) {
	if v.Spec.NodeAffinity == nil || v.Spec.NodeAffinity.Required == nil {
		p.RuleOut("volume-affinity-conflict", pod.Subject(), "volume "+v.Name+" can be used on every node")
		return
	}
	fitting, open := 0, 0
	for _, n := range p.Snapshot.Nodes() {
		if !mechanics.VolumeAllows(v, n.Labels) {
			continue
		}
		fitting++
		if n.Ready() == evidence.True && !n.Spec.Unschedulable {
			open++
		}
	}
	wants := facts.PrintRequired(nil, v.Spec.NodeAffinity.Required)
	c := triage.Claim{
		Says: "volume-affinity-conflict", Subject: pod.Subject(), Since: pod.Created,
		Fill:     map[string]string{"volume": v.Name, "pvc": claim.Name, "namespace": pod.Namespace, "pod": pod.Name},
		Evidence: []evidence.Ref{{Source: "persistentvolume/" + v.Name, Locator: ".spec.nodeAffinity.required", Text: wants}},
	}
	switch {
	case open > 0:
		p.RuleOut("volume-affinity-conflict", pod.Subject(), fmt.Sprintf("volume %s can be used on %s", v.Name, wording.Count(open, "Ready node")))
		return
	case fitting > 0:
		c.Certainty = triage.Likely
		c.Summary = fmt.Sprintf("volume %s of pod %s requires %s: %s, none of them Ready and schedulable", v.Name, pod.Key(), wants, wording.Count(fitting, "node"))
	case p.Snapshot.Covers(evidence.Nodes) != evidence.Complete:
		p.Unknown("whether a node fits volume "+v.Name+" of pod "+pod.Key(), "not all nodes were read", "kubectl get nodes --show-labels")
		return
	default:
		c.Certainty = triage.Certain
		c.Summary = fmt.Sprintf("volume %s of pod %s requires %s, and no node matches", v.Name, pod.Key(), wants)
	}
	p.Found(c)
}
