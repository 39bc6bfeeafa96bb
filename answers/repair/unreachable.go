package repair

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// erases are actions that give the machine a new disk.
var erases = []cloud.Verb{cloud.Reimage, cloud.DeleteMachine, cloud.Refresh}

// unreachable judges an unreachable node in place of a drain: an eviction waits for a kubelet that does not answer, so the
// drain could never finish. The state of the machine must be known, and no data may exist on its disk alone if the disk goes.
func (r *repairer) unreachable(n *evidence.Node) *Gate {
	g := &Gate{Name: GateDrained, State: Passed, asks: true}
	if m := r.st.Machine; m == nil || m.Power == "" {
		g.State, g.Why, g.How = Unjudged, "the node is unreachable, and the state of its VM could not be read", advice.Default.Command(advice.ShowMachine)
		return g
	}
	if !r.s.Read(evidence.Pods) {
		g.State, g.Why, g.How = Unjudged, "its pods could not be read", "grant the permission to list pods"
		return g
	}
	pods := r.moving(n)
	if local := r.withLocalData(n, pods); slices.Contains(erases, r.opt.Action) && len(local) > 0 {
		g.State, g.Why = Refused, "the disk of the VM is replaced, and "+wording.Counted(len(local), "pod has", "pods have")+" data on it: "+wording.Some(local)
		g.How = "save the data, or repair restart first: it keeps the disk"
		return g
	}
	g.Why = fmt.Sprintf("the node is unreachable, so it cannot be drained; the VM is %s, and %s without a warning", r.st.Machine.Power, wording.Counted(len(pods), "pod ends", "pods end"))
	return g
}

// withLocalData returns the pods with data on the node's own disk: emptyDir, hostPath and volumes that only this node has.
func (r *repairer) withLocalData(n *evidence.Node, pods []*evidence.Pod) []string {
	var out []string
	for _, p := range pods {
		if len(mechanics.EmptyDirs(p))+len(mechanics.HostDirectories(p)) > 0 || r.hasLocalVolume(n, p) {
			out = append(out, p.Key())
		}
	}
	return out
}

func (r *repairer) hasLocalVolume(n *evidence.Node, p *evidence.Pod) bool {
	if p.Spec == nil {
		return false
	}
	for _, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		pv := mechanics.VolumeOf(r.s.Data(), p.Namespace, v.PersistentVolumeClaim.ClaimName)
		if pv != nil && mechanics.VolumeBoundTo(pv, n) {
			return true
		}
	}
	return false
}
