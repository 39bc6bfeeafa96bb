package repair

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// erases are actions after which data on the machine's own disks is gone. Redeploy keeps a managed disk, and loses the temporary
// one.
var erases = []cloud.Verb{cloud.Reimage, cloud.DeleteMachine, cloud.Refresh, cloud.Redeploy}

// unreachable judges an unreachable node in place of a drain: an eviction waits for a kubelet that does not answer, so the
// drain could never finish. The state of the machine must be known, and no data may exist on its disk alone if the disk goes.
func (r *repairer) unreachable(n *evidence.Node) *Gate {
	g := &Gate{Name: GateDrained, State: Passed, asks: true}
	m := r.vm()
	if m == nil || m.Power == "" {
		g.State, g.Why, g.How = Unjudged, "the node is unreachable, and the state of its VM could not be read", advice.Default.Command(advice.ShowMachine)
		return g
	}
	if !r.s.Read(evidence.Pods) {
		g.State, g.Why, g.How = Unjudged, "its pods could not be read", "the right to list pods"
		return g
	}
	pods := r.ending(n)
	if slices.Contains(erases, r.opt.Action) {
		local, unknown := r.withLocalData(n, pods)
		switch {
		case len(local) > 0:
			g.State, g.Why = Refused, "a disk of the VM is lost, and "+wording.Counted(len(local), "pod has", "pods have")+" data on it: "+wording.Some(local)
			g.How = "save the data, or repair restart first: it keeps the disks"
			return g
		case len(unknown) > 0:
			g.State, g.Why = Unjudged, "a disk of the VM is lost, and whether it has data of these pods could not be read: "+wording.Some(unknown)
			g.How = "the right to list pods, volume claims and volumes"
			return g
		}
	}
	g.Why = fmt.Sprintf("the node is unreachable, so it cannot be drained; the VM is %s, and %s without a warning", m.Power, wording.Counted(len(pods), "pod ends", "pods end"))
	return g
}

// ending returns the pods that end with the machine. A controller may recreate them on another node. Pods that are being deleted
// still run as long as the kubelet does not answer.
func (r *repairer) ending(n *evidence.Node) []*evidence.Pod {
	var out []*evidence.Pod
	for _, p := range r.s.PodsOn(n.Name) {
		if action, _ := mechanics.DrainOf(p); (action == mechanics.Evict || action == mechanics.AwaitEnd) && !p.Finished() {
			out = append(out, p)
		}
	}
	return out
}

// withLocalData returns the pods with data on the node's own disks (emptyDir, hostPath and volumes that only this node has), and
// the pods for which this is unknown.
func (r *repairer) withLocalData(n *evidence.Node, pods []*evidence.Pod) (local, unknown []string) {
	for _, p := range pods {
		volumes := r.localVolumes(n, p)
		switch {
		case len(mechanics.EmptyDirs(p))+len(mechanics.HostDirectories(p)) > 0 || volumes == evidence.True:
			local = append(local, p.Key())
		case volumes == evidence.Unknown:
			unknown = append(unknown, p.Key())
		}
	}
	return local, unknown
}

// localVolumes reports whether the pod has a volume that only this node has.
func (r *repairer) localVolumes(n *evidence.Node, p *evidence.Pod) evidence.Fact {
	if p.Spec == nil || p.Partial {
		return evidence.Unknown
	}
	out := evidence.False
	for _, v := range p.Spec.Volumes {
		claim := mechanics.ClaimOf(p, &v)
		if claim == "" {
			continue
		}
		pv := mechanics.VolumeOf(r.s.Data(), p.Namespace, claim)
		if pv == nil {
			out = evidence.Unknown
			continue
		}
		if pv.Spec.Local != nil || pv.Spec.HostPath != nil || mechanics.VolumeBoundTo(pv, n) || r.onlyHere(n, pv) {
			return evidence.True
		}
	}
	return out
}

// onlyHere reports whether the affinity of a volume allows no other node, by any label.
func (r *repairer) onlyHere(n *evidence.Node, pv *corev1.PersistentVolume) bool {
	if pv.Spec.NodeAffinity == nil {
		return false
	}
	return !slices.ContainsFunc(r.s.Nodes(), func(other *evidence.Node) bool {
		return other.Name != n.Name && mechanics.VolumeAllows(pv, other.Labels)
	})
}
