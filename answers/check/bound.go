package check

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// tie is a pod that an additional node would not help, and the reason.
type tie struct {
	owner  evidence.Subject
	detail string
}

// further returns a new node like n: the same shape, another name, and in zone unless that is "".
func further(n *evidence.Node, zone string) *corev1.Node {
	out := n.Node.DeepCopy()
	out.Name = n.Name + "-more"
	out.Labels = map[string]string{}
	old := n.Labels[corev1.LabelTopologyZone]
	for k, v := range n.Labels {
		switch {
		case k == corev1.LabelHostname:
			v = out.Name
		case zone != "" && v == old && strings.HasSuffix(k, "/zone"): // volume drivers have their own label
			v = zone
		}
		out.Labels[k] = v
	}
	return out
}

// tied returns why the pod cannot run on an additional node, apart from capacity: its volume, or its node requirements; "" if
// it can.
func (r *reviewer) tied(p *evidence.Pod, n *corev1.Node) (detail string, byVolume bool) {
	if p.Spec == nil || n == nil {
		return "", false
	}
	for _, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		pv := r.VolumeOf(p.Namespace, v.PersistentVolumeClaim.ClaimName)
		if pv != nil && !mechanics.VolumeAllows(pv, n.Labels) {
			return "volume " + pv.Name + " can only be used on " + p.Node, true
		}
	}
	if !mechanics.Allows(p.Spec, n) {
		return "its selector or affinity requires labels of " + p.Node + " (name, zone or pool) that another node would not have", false
	}
	return "", false
}

// boundPods finds the pods that were set aside when nodes and zones were removed.
func (r *reviewer) boundPods() {
	for _, t := range r.ties {
		r.add(t.owner, t.detail)
	}
}
