package drain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// check finds what blocks each pod, except PodDisruptionBudgets that only allow too few evictions now: those depend on the
// order.
func (b *builder) check(pods []*candidate) {
	defer b.place(pods) // a volume on the node is reported as such, not as a lack of capacity
	for _, c := range pods {
		if c.plan.Action == Skip {
			continue
		}
		c.NotEnded()
		c.Finalizers()
		c.policy()
		if c.plan.Action == Evict { // also of terminated pods
			c.Webhooks()
		}
		if !c.moves() {
			continue
		}
		c.unmanaged()
		c.foreign()
		c.localData()
		c.hostData()
		c.localVolume()
		c.comesBack()
		c.grace()
		c.SeveralBudgets()
		c.countAgain()
	}
}

func (c *candidate) unmanaged() {
	if !slices.Contains(mechanics.Loses(c.pod), mechanics.ThePod) {
		return
	}
	c.Add(Blocker{
		Kind: Unmanaged, Name: c.pod.Key(), Detail: "no controller recreates it after an eviction",
		What: "save the pod, and accept that the drain deletes it",
		Unblock: []shell.Text{
			shell.Format("kubectl get pod -n {namespace} {pod} -o yaml > {pod}.yaml", c.pod.Namespace, c.pod.Name, c.pod.Name),
			c.drainWith("--accept unmanaged"),
		},
		Harm: "the pod is deleted; recreate it from the file",
	})
}

// foreign finds pods of operators. They are evicted like others, because operators must expect that.
func (c *candidate) foreign() {
	o := c.pod.Owner
	if !mechanics.Foreign(c.pod) {
		return
	}
	c.Add(Blocker{
		Kind: Foreign, Name: o.Kind + " " + o.Name,
		Detail:  fmt.Sprintf("it is unknown whether the controller %s recreates it; its placement is not checked, and waves and estimate assume that it is recreated", o.Kind),
		Unblock: []shell.Text{shell.Format("kubectl get {kind} -n {namespace} {name} -o yaml", strings.ToLower(o.Kind), c.pod.Namespace, o.Name)},
		Harm:    "none (read-only); ask the workload owner what happens to its pods", Passing: true,
	})
}

// localData finds emptyDir volumes, also in memory, whose content is lost with the pod.
func (c *candidate) localData() {
	names := mechanics.EmptyDirs(c.pod)
	if len(names) == 0 {
		return
	}
	c.Add(Blocker{
		Kind: LocalData, Name: strings.Join(names, ", "), Detail: "emptyDir " + wording.Some(names) + ": the data is deleted with the pod",
		What:    "accept that the data is deleted",
		Unblock: []shell.Text{c.drainWith("--accept local-data")},
		Harm:    "the data in emptyDir volumes is lost (no problem for caches and temporary files)",
	})
}

// hostData finds data that stays on the node while the pod moves. kubectl drain does not ask about it. A pod whose replacement
// runs on the same node keeps its data.
func (c *candidate) hostData() {
	for _, d := range mechanics.HostDirectories(c.pod) {
		c.Add(Blocker{
			Kind: HostData, Name: d.Path,
			Detail: fmt.Sprintf("the data in hostPath %s stays on %s: on another node the new pod finds an empty or different directory; the data is lost if the VM is reimaged", d.Path, c.node),
			What:   "stop the writes, copy the data, and accept that the pod moves without it",
			Unblock: []shell.Text{
				shell.Format("kubectl exec -n {namespace} {pod} -c {container} -- tar -cf - -C {path} . > {pod}.tar", c.pod.Namespace, c.pod.Name, d.Container, d.Mount, c.pod.Name),
				c.drainWith("--accept host-data"),
			},
			Harm: "the application cannot write until the data is on the node of the new pod; a PersistentVolumeClaim would move with the pod",
		})
	}
}

// localVolume finds claims whose volume is usable only on the closed nodes.
func (c *candidate) localVolume() {
	if c.pod.Spec == nil {
		return
	}
	for _, v := range c.pod.Spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		pv := c.VolumeOf(c.pod.Namespace, v.PersistentVolumeClaim.ClaimName)
		if pv == nil || !mechanics.VolumeBoundTo(pv, c.b.nodes()...) {
			continue
		}
		c.Add(Blocker{
			Kind: LocalVolume, Name: pv.Name, Detail: fmt.Sprintf("claim %s uses volume %s, which only this node has: the replacement waits until the node is back", v.PersistentVolumeClaim.ClaimName, pv.Name),
			What:    "accept that the pod waits for its node",
			Unblock: []shell.Text{c.drainWith("--accept local-volume")},
			Harm:    "the replacement is Pending until the node is schedulable again; the data stays on the node and is lost if the VM is replaced",
		})
	}
}

// longGrace is a grace period that delays a drain noticeably.
const longGrace = 10 * time.Minute

// grace finds pods with a long termination, and hooks that use the whole grace period.
func (c *candidate) grace() {
	if c.pod.Spec == nil {
		return
	}
	grace, hook := mechanics.GracePeriod(c.pod), mechanics.HookSleep(c.pod)
	x := Blocker{Kind: Grace, Name: c.pod.Key(), Passing: true}
	switch {
	case hook >= grace && grace > 0:
		x.Detail = fmt.Sprintf("its preStop hook sleeps %s of a grace period of %s: the container is killed before it can stop gracefully", wording.Duration(hook), wording.Duration(grace))
	case grace >= longGrace:
		long := wording.Duration(grace)
		if grace >= mechanics.Longest {
			long = fmt.Sprintf("%ds", *c.pod.Spec.TerminationGracePeriodSeconds)
		}
		x.Detail = fmt.Sprintf("may take its whole grace period of %s to terminate", long)
	default:
		return
	}
	x.Unblock = []shell.Text{shell.Format("kubectl delete pod -n {namespace} {pod} --grace-period={seconds}", c.pod.Namespace, c.pod.Name, strconv.Itoa(shortGrace))}
	x.Harm = "terminates it sooner after its eviction; the work of its hook (a handover, a running job) is interrupted"
	c.Add(x)
}

// shortGrace is a grace period, in seconds, that is enough for a graceful shutdown of most programs.
const shortGrace = 60
