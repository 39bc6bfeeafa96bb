package predict

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// tie is the reason why a volume binds a pod to its node.
type tie struct {
	name string // of the claim, or of the volume in the pod
	kind tieKind
	// mounted: node.status.volumesInUse lists it, as far as is known.
	mounted evidence.Fact
	pv      *corev1.PersistentVolume
}

type tieKind int

const (
	exclusive tieKind = iota // attached to one node at a time
	local                    // on a disk of the node
	zonal                    // usable in some zones only; may be exclusive as well
	scratch                  // emptyDir or hostPath: its data stays on the node
	unread                   // a claim that is not in the evidence
)

// tiesOf returns the volumes that bind the pod to its node.
func (sim *simulation) tiesOf(p *evidence.Pod, m *simNode) []tie {
	if p.Spec == nil {
		return nil
	}
	var out []tie
	for _, v := range p.Spec.Volumes {
		claim := mechanics.ClaimOf(p, &v)
		switch {
		case claim != "":
			out = append(out, sim.claimTies(p.Namespace, claim, m)...)
		case v.EmptyDir != nil || v.HostPath != nil:
			out = append(out, tie{name: v.Name, kind: scratch})
		case v.AzureDisk != nil || v.Cinder != nil || v.AWSElasticBlockStore != nil || v.GCEPersistentDisk != nil:
			out = append(out, tie{name: v.Name, kind: exclusive})
		}
	}
	return out
}

func (sim *simulation) claimTies(namespace, claim string, m *simNode) []tie {
	pvc := sim.claims[namespace+"/"+claim]
	if pvc == nil {
		return []tie{{name: claim, kind: unread}}
	}
	pv := sim.volumes[pvc.Spec.VolumeName]
	if pv == nil {
		return []tie{{name: claim, kind: unread}}
	}
	var out []tie
	if pv.Spec.Local != nil || pv.Spec.HostPath != nil || mechanics.VolumeBoundTo(pv, m.node) {
		return []tie{{name: claim, kind: local, pv: pv}}
	}
	if pv.Spec.NodeAffinity != nil {
		out = append(out, tie{name: claim, kind: zonal, pv: pv})
	}
	if mechanics.OneNodeAtATime(pv) {
		out = append(out, tie{name: claim, kind: exclusive, pv: pv, mounted: mounted(pv, m.node)})
	}
	return out
}

// mounted reports whether the node's status lists the volume as in use.
func mounted(pv *corev1.PersistentVolume, n *evidence.Node) evidence.Fact {
	if n.Partial || pv.Spec.CSI == nil {
		return evidence.Unknown
	}
	name := "kubernetes.io/csi/" + pv.Spec.CSI.Driver + "^" + pv.Spec.CSI.VolumeHandle
	return evidence.Known(slices.Contains(n.Node.Status.VolumesInUse, corev1.UniqueVolumeName(name)))
}

// volumesFreeAt returns when the volumes of a terminated pod can be attached to another node. That is at once if they are not
// in use, or if the node has the out-of-service taint. Otherwise it is after its kubelet has unmounted them, or by force after
// six minutes, even if the Node object is deleted. While the pod is Terminating with running containers the six minutes do not
// begin (kubernetes pkg/controller/volume/attachdetach/reconciler/reconciler.go, v1.36.3).
func (sim *simulation) volumesFreeAt(p *evidence.Pod, m *simNode, tl *nodeTimeline, x extremes, ended time.Duration) time.Duration {
	out := always
	for _, h := range sim.ties[p] {
		if h.kind != exclusive {
			continue
		}
		if ended == never {
			return never
		}
		at := ended
		switch {
		case h.mounted == evidence.False || m.outOfService <= ended:
			at += pick(x.late, 0, detachTick)
		case m.actsFrom(ended) == ended && ended < m.deleted:
			at += pick(x.late, 0, statusSync)
		case sim.set.keepsMounted && tl.ready == never:
			return never
		default:
			at += mechanics.ForceDetach + pick(x.late, 0, detachTick)
			if back := max(ended, tl.ready); tl.ready != never && m.deleted == never {
				at = min(at, back+pick(x.late, 0, statusSync))
			}
		}
		out = max(out, at)
	}
	return out
}

// stuckOn returns the first volume that no other node can use, or "".
func (sim *simulation) stuckOn(p *evidence.Pod, others []*evidence.Node) string {
	for _, h := range sim.ties[p] {
		if h.pv == nil || h.kind == exclusive {
			continue
		}
		if !slices.ContainsFunc(others, func(n *evidence.Node) bool { return mechanics.VolumeAllows(h.pv, n.Labels) }) {
			return h.name
		}
	}
	return ""
}

// volumeNames lists the volumes of a kind.
func volumeNames(list []tie, kind tieKind) string {
	var out []string
	for _, h := range list {
		if h.kind == kind {
			out = append(out, h.name)
		}
	}
	return strings.Join(slices.Compact(out), ", ")
}
