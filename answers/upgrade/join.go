package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// merge combines the runs into one plan.
func (u *Plan) merge(v *clusterview.View, fast, slow, longest, shortest *rollout) {
	u.Duration = plan.Within(min(fast.now, slow.now, shortest.now), max(fast.now, slow.now, longest.now))
	u.Moves = max(fast.evictions, slow.evictions, longest.evictions)
	for i := range max(len(shortest.steps), len(longest.steps)) {
		q, s := stepAt(shortest.steps, i), stepAt(longest.steps, i)
		u.Steps = append(u.Steps, Step{
			Nodes: q.Nodes, Begin: q.Begin.Cover(s.Begin), End: q.End.Cover(s.End), Moves: max(q.Moves, s.Moves), Waiting: max(q.Waiting, s.Waiting),
		})
	}
	for _, x := range append(slices.Clone(fast.stuck), slow.stuck...) {
		i := slices.IndexFunc(u.Stuck, func(y Stuck) bool { return y.Node == x.Node })
		if i < 0 {
			u.Stuck = append(u.Stuck, x)
			continue
		}
		u.Stuck[i].Certain = !u.Stuck[i].byPlacement && !x.byPlacement
		u.Stuck[i].At = u.Stuck[i].At.Cover(x.At)
	}
	slices.SortStableFunc(u.Stuck, func(x, y Stuck) int { return cmp.Compare(rankStuck(x), rankStuck(y)) })
	u.Peak = fast.peak
	if slow.peak.Pods > u.Peak.Pods {
		u.Peak = slow.peak
	}
	if fast.peak.Pods > 0 && slow.peak.Pods > 0 {
		u.Peak.At = fast.peak.At.Cover(slow.peak.At)
	}
	if u.Peak.Some == nil {
		u.Peak.Some = []string{}
	}
	if over := firstComplete(slow, fast); over != nil {
		for _, p := range over.waiting {
			if !p.roomless {
				u.Left = append(u.Left, Homeless{v.WorkloadKey(p.like), p.says})
			}
		}
	}
	u.Lost = append(u.Lost, slow.lost...)
	if len(fast.lost) > len(u.Lost) {
		u.Lost = fast.lost
	}
	u.Forced = append(u.Forced, slow.forced...)
	if why := cmp.Or(fast.unknown, slow.unknown); why != "" {
		u.NotChecked = append(u.NotChecked, triage.NotChecked{What: "where some pods are scheduled", Why: why, How: ""})
	}
	u.First = u.firstChange(fast)
}

// firstComplete returns the first run that replaces every node; nil if there is none.
func firstComplete(runs ...*rollout) *rollout {
	for _, r := range runs {
		if len(r.stuck) == 0 || r.set.Undrainable == Force {
			return r
		}
	}
	return nil
}

// rankStuck puts certain ones first, otherwise in the order of the upgrade.
func rankStuck(s Stuck) int {
	if s.Certain {
		return 0
	}
	return 1
}

// stepAt returns the i-th step, or the last.
func stepAt(steps []Step, i int) Step {
	if len(steps) == 0 {
		return Step{}
	}
	return steps[min(i, len(steps)-1)]
}

// firstChange returns the change with the least risk that makes room for the surge nodes, or unblocks the first stuck node.
func (u *Plan) firstChange(r *rollout) *Change {
	if u.Needs.Lacking() && strategies[u.Settings.Style].inPlace {
		return u.inPlace(r)
	}
	for _, s := range u.Stuck {
		for _, p := range s.Pods {
			for _, x := range p.Blockers {
				if len(x.Unblock) > 0 {
					return &Change{fmt.Sprintf("pod %s/%s on node %s: %s", p.Namespace, p.Name, s.Node, x.Detail), x.What, x.Unblock, x.Harm, x.Or}
				}
			}
		}
	}
	return nil
}

// inPlace is an upgrade without surge nodes: first its plan, then the settings of the pool.
func (u *Plan) inPlace(r *rollout) *Change {
	out := &Change{
		Why:      "the pool can be upgraded in place, one node at a time, without added nodes",
		What:     "show the plan of the upgrade in place. Only if it is not BLOCKED, set its values on the pool. After the upgrade, set the old values again",
		Commands: []shell.Text{shell.Format("nodetriage upgrade {pool} --surge 0 --max-unavailable 1", u.Pool)},
		Harm:     "none for the plan (read-only); during the upgrade the pool has one node less, and its pods must fit on the others",
	}
	if r.strategy.timeoutIsSet { // such settings are set with the same command
		out.Commands = append(out.Commands, "# THEN, only if this plan is not BLOCKED:", r.az("update", "--max-surge 0 --max-unavailable 1"))
	}
	return out
}

// effects records other effects of an upgrade on the pool's pods.
func (u *Plan) effects(v *clusterview.View, p *pool, before func() (placement.Board, error)) {
	add := func(format string, args ...any) { u.SideEffects = append(u.SideEffects, fmt.Sprintf(format, args...)) }
	versions := map[string]int{}
	for _, n := range p.nodes {
		versions[n.Node.Status.NodeInfo.KubeletVersion]++
		if n.Spec.Unschedulable {
			add("node %s is already cordoned; its replacement is schedulable again", n.Name)
		}
	}
	if len(versions) > 1 {
		add("the pool's nodes already have %d versions: an earlier upgrade is not finished and may replace only the older ones", len(versions))
	}
	if len(p.quarantined) > 0 {
		add("%s quarantined after an earlier upgrade and skipped until the label %s is removed", wording.Counted(len(p.quarantined), "node of the pool is", "nodes of the pool are"), quarantine)
	}
	u.Unfinished = u.unfinished(v, p)
	u.outages(v, p, before)
	u.data(v, p, add)
}

// outages finds workloads whose last ready pods are on one node. Pods with a PodDisruptionBudget that allows some evictions move
// one after another, except an only replica.
func (u *Plan) outages(v *clusterview.View, p *pool, before func() (placement.Board, error)) {
	for _, n := range p.nodes {
		var evicted []*evidence.Pod
		for _, pod := range v.PodsOn(n.Name) {
			if action, _ := mechanics.DrainOf(pod); action == drain.Evict && !pod.Finished() && leavesAtOnce(v, pod) {
				evicted = append(evicted, pod)
			}
		}
		for _, gone := range v.Interrupts(evicted) {
			out := drain.Outage{Namespace: gone[0].Namespace, Workload: v.WorkloadName(gone[0]), Avoid: []shell.Text{}}
			for _, pod := range gone {
				out.Pods = append(out.Pods, pod.Name)
			}
			slices.Sort(out.Pods)
			if w := v.SingleReplica(gone[0]); w != nil && clusterview.SecondFits(before, gone[0]) != placement.Pending {
				_, scale := clusterview.SecondReplica(w)
				out.Avoid = append(out.Avoid, scale.Commands...)
			}
			u.Outages = append(u.Outages, out)
		}
	}
}

// leavesAtOnce reports whether no PodDisruptionBudget delays the eviction of the pod until other pods of it are ready.
func leavesAtOnce(v *clusterview.View, pod *evidence.Pod) bool {
	budgets := v.Budgets.Of(pod)
	if len(budgets) == 0 {
		return true
	}
	w := v.TopOwnerOf(pod)
	only := w != nil && clusterview.OnlyReplica(w)
	return only && len(budgets) == 1 && !mechanics.NeverAllows(budgets[0])
}

// data finds data of pods on the machines.
func (u *Plan) data(v *clusterview.View, p *pool, add func(string, ...any)) {
	scratch := 0
	local := localClaims(v.Data())
	for _, n := range p.nodes {
		for _, pod := range v.PodsOn(n.Name) {
			if action, _ := mechanics.DrainOf(pod); action != drain.Evict || pod.Finished() || pod.Spec == nil {
				continue
			}
			if len(mechanics.EmptyDirs(pod)) > 0 {
				scratch++
			}
			leftBehind(pod, n.Name, local, add)
		}
	}
	if scratch == 1 {
		add("1 pod has data in an emptyDir, which is deleted with the pod")
	} else if scratch > 1 {
		add("%d pods have data in an emptyDir, which is deleted with the pod", scratch)
	}
}

// localClaims returns the volumes on the disk of a node, by the namespace and name of their claims.
func localClaims(d *evidence.Data) map[string]string {
	local := map[string]bool{}
	for _, pv := range d.Volumes {
		local[pv.Name] = pv.Spec.Local != nil || pv.Spec.HostPath != nil
	}
	out := map[string]string{}
	for _, pvc := range d.Claims {
		if local[pvc.Spec.VolumeName] {
			out[pvc.Namespace+"/"+pvc.Name] = pvc.Spec.VolumeName
		}
	}
	return out
}

// leftBehind adds the data of a pod that stays on its node.
func leftBehind(pod *evidence.Pod, node string, local map[string]string, add func(string, ...any)) {
	for _, d := range mechanics.HostDirectories(pod) {
		add("pod %s has data in hostPath %s on node %s: the pod moves without it, and it is lost when the VM is replaced", pod.Key(), d.Path, node)
	}
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		if volume := local[pod.Namespace+"/"+v.PersistentVolumeClaim.ClaimName]; volume != "" {
			add("pod %s has volume %s on the disk of node %s: when the VM is replaced, its data is lost or the pod is Pending forever", pod.Key(), volume, node)
		}
	}
}

// unread lists what the plan needs and the evidence does not contain.
func (u *Plan) unread(v *clusterview.View, p *pool) {
	admission, unknown := v.UnreadAdmission("kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations,validatingadmissionpolicies,validatingadmissionpolicybindings -o json")
	u.NotChecked = append(append(u.NotChecked, v.Unread(p.names(), false)...), admission...)
	if unknown != "" {
		u.SideEffects = append(u.SideEffects, unknown)
	}
	if v.Covers(evidence.Nodes) != evidence.Complete && u.Peak.Pods > 0 {
		u.NotChecked = append(u.NotChecked, triage.NotChecked{What: "whether other nodes have free capacity", Why: "not all nodes were read", How: "kubectl get nodes,pods -A -o json"})
	}
}

// conclude sets the verdict.
func (u *Plan) conclude() {
	certain := slices.ContainsFunc(u.Stuck, func(s Stuck) bool { return s.Certain })
	switch {
	case u.Needs.Lacking():
		u.Verdict = plan.Blocked
	case certain && u.Settings.Undrainable != Force:
		u.Verdict = plan.Blocked
	case len(u.Lost)+len(u.Left)+len(u.Forced) > 0:
		u.Verdict = plan.Harmful
	case len(u.NotChecked) > 0:
		u.Verdict = plan.Unclear
	case len(u.Stuck) > 0 || u.Peak.Pods > 0:
		u.Verdict = plan.Slow
	default:
		u.Verdict = plan.Clear
	}
	slices.Sort(u.Lost)
	slices.Sort(u.Forced)
	u.Forced = slices.Compact(u.Forced)
	slices.SortStableFunc(u.Left, func(a, b Homeless) int { return strings.Compare(a.Workload, b.Workload) })
}
