package drain

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// OfBudget returns a Blocker with the numbers of the PodDisruptionBudget.
func OfBudget(b *evidence.PDB) Blocker {
	st := b.Status
	return Blocker{Kind: Budget, Name: b.Namespace + "/" + b.Name, Allowed: &st.DisruptionsAllowed, Healthy: &st.CurrentHealthy, Desired: &st.DesiredHealthy}
}

// SeveralBudgets finds pods that the eviction API rejects because several PodDisruptionBudgets select them.
func (o *Obstacles) SeveralBudgets() {
	if len(o.budgets) < 2 {
		return
	}
	var names []string
	strict := o.budgets[0] // the budget that stays in force
	for _, b := range o.budgets {
		names = append(names, b.Name)
		if b.Status.DisruptionsAllowed < strict.Status.DisruptionsAllowed {
			strict = b
		}
	}
	for _, b := range o.budgets {
		x := OfBudget(b)
		x.Kind = Budgets
		x.Detail = plan.Join(fmt.Sprintf("the pod matches %d PodDisruptionBudgets (%s), and the eviction API rejects such pods", len(o.budgets), wording.Some(names)), clusterview.OwnedBy(b))
		if b != strict {
			x.What = "suspend this PodDisruptionBudget for the drain"
			x.Unblock = []shell.Text{o.drainWith(shell.Format("--suspend-pdb {namespace}/{pdb}", b.Namespace, b.Name))}
			x.Harm = fmt.Sprintf("PodDisruptionBudget %s is suspended during the drain, %s remains; afterwards narrow one of the selectors", b.Name, strict.Name)
		}
		o.Add(x)
	}
}

// Take sets the ways past a blocker, the one with the least risk first.
func (x *Blocker) Take(ways []plan.Way) {
	x.What, x.Unblock, x.Harm, x.Or = "", []shell.Text{}, "", nil
	if len(ways) > 0 {
		x.What, x.Unblock, x.Harm, x.Or = ways[0].What, ways[0].Commands, ways[0].Harm, ways[1:]
	}
}

// Unblock sets the ways to evict the pod in spite of its PodDisruptionBudget.
func (o *Obstacles) Unblock(x *Blocker, pdb *evidence.PDB) { x.Take(o.waysPast(pdb)) }

// waysPast returns the ways to evict the pod, the one with the least risk first; none: it resolves itself.
func (o *Obstacles) waysPast(pdb *evidence.PDB) []plan.Way {
	suspend := plan.Way{What: "suspend the PodDisruptionBudget for this drain",
		Commands: []shell.Text{o.drainWith(shell.Format("--suspend-pdb {namespace}/{pdb}", pdb.Namespace, pdb.Name))},
		Harm:     fmt.Sprintf("during the drain nothing protects %s from simultaneous eviction; the PodDisruptionBudget is restored afterwards", wording.Count(len(clusterview.PodsOf(o.Snapshot, pdb)), "pod"))}
	w := o.TopOwnerOf(o.pod)
	switch more := int(pdb.Status.ExpectedPods) + 1; {
	case mechanics.Stale(pdb):
		return nil
	case mechanics.SyncFailed(pdb) != "" || pdb.Status.ExpectedPods == 0:
		return []plan.Way{suspend}
	case o.pod.Ready == evidence.False:
		return []plan.Way{{What: "let NotReady pods be evicted",
			Commands: []shell.Text{shell.Format(`kubectl patch pdb -n {namespace} {pdb} --type=merge -p '{"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}}'`, pdb.Namespace, pdb.Name)},
			Harm:     "NotReady pods can be evicted at any time; they serve no traffic, but a pod that is starting must start again"}}
	case !mechanics.NeverAllows(pdb):
		return []plan.Way{o.makeHealthy(pdb), suspend}
	case w == nil || mechanics.DesiredHealthy(pdb, more) >= more:
		return []plan.Way{suspend}
	}
	return o.oneMore(w, suspend)
}

// makeHealthy is the way past a PodDisruptionBudget that would allow evictions if its pods were healthy.
func (o *Obstacles) makeHealthy(pdb *evidence.PDB) plan.Way {
	look := []shell.Text{shell.Format("kubectl get pods -n {namespace} -l {selector} -o wide", pdb.Namespace, metav1.FormatLabelSelector(pdb.Spec.Selector))}
	if n := o.SilentNodeOf(pdb); n != "" { // its pods may be rescheduled in a few minutes, or never
		look = append(look, shell.Format("nodetriage predict {node}", n))
	}
	return plan.Way{What: "make the NotReady pods healthy: the PodDisruptionBudget then allows the eviction", Commands: look, Harm: "none (read-only)"}
}

// whileGone returns the interruption of a pod that starts again only after the old one is gone.
func (o *Obstacles) whileGone() string {
	switch {
	case slices.ContainsFunc(homeless, o.has):
		return o.pod.Name + " stops, and stays Pending because it fits on no other node"
	case o.lands == placement.Fits:
		return o.pod.Name + " is down while it moves to another node"
	}
	return o.pod.Name + " is down while it moves, and it is unknown whether it fits on another node: it may stay Pending"
}

// oneMore returns the ways past a PodDisruptionBudget that allows an eviction if one more pod is running.
func (o *Obstacles) oneMore(w *evidence.Workload, suspend plan.Way) []plan.Way {
	only := o.SingleReplica(o.pod)
	copies := mechanics.Copies(w.Kind) && (only != nil || !clusterview.OnlyReplica(w))
	switch {
	case mechanics.Replaces(o.pod) == mechanics.WhenGone:
		suspend.What += " (one more replica would be another member, not a copy)"
		suspend.Harm = plan.Join(o.whileGone(), suspend.Harm)
		return []plan.Way{suspend}
	case copies && o.has(NoRoom):
		return []plan.Way{clusterview.NoSecond()}
	case only != nil:
		surge, scale := clusterview.SecondReplica(only, o.nodes...)
		return []plan.Way{surge, scale}
	case copies:
		return []plan.Way{{What: "run one more replica",
			Commands: []shell.Text{shell.Format("kubectl scale -n {namespace} {workload} --replicas={replicas}", w.Namespace, o.WorkloadName(o.pod), fmt.Sprint(w.Replicas+1))},
			Harm:     fmt.Sprintf("one more pod is running during the drain; set --replicas=%d again afterwards", w.Replicas)}}
	case mechanics.Copies(w.Kind):
		suspend.Harm = "a planned interruption: " + plan.Join(o.NoCopy(o.pod), suspend.Harm)
	}
	return []plan.Way{suspend}
}
