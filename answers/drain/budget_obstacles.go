package drain

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
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
			x.Unblock = []shell.Text{o.drainWith(shell.Format("--suspend-pdb {namespace}/{pdb}", b.Namespace, b.Name))}
			x.Harm = fmt.Sprintf("PodDisruptionBudget %s is suspended during the drain, %s remains; afterwards narrow one of the selectors", b.Name, strict.Name)
		}
		o.Add(x)
	}
}

// Unblock returns the way to evict the pod with the least risk, and that risk.
func (o *Obstacles) Unblock(pdb *evidence.PDB) ([]shell.Text, string) {
	ns, name := pdb.Namespace, pdb.Name
	w := o.TopOwnerOf(o.pod)
	suspend := o.drainWith(shell.Format("--suspend-pdb {namespace}/{pdb}", ns, name))
	all := fmt.Sprintf("during the drain nothing protects %s from simultaneous eviction; the PodDisruptionBudget is restored afterwards", wording.Count(len(clusterview.PodsOf(o.Snapshot, pdb)), "pod"))
	switch more := int(pdb.Status.ExpectedPods) + 1; {
	case mechanics.Stale(pdb):
		return nil, ""
	case mechanics.SyncFailed(pdb) != "" || pdb.Status.ExpectedPods == 0:
		return []shell.Text{suspend}, all
	case o.pod.Ready == evidence.False:
		return []shell.Text{shell.Format(`kubectl patch pdb -n {namespace} {pdb} --type=merge -p '{"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}}'`, ns, name)},
			"NotReady pods can be evicted at any time; they serve no traffic, but a pod that is starting must start again"
	case !mechanics.NeverAllows(pdb):
		look := []shell.Text{shell.Format("kubectl get pods -n {namespace} -l {selector} -o wide", ns, metav1.FormatLabelSelector(pdb.Spec.Selector))}
		if n := o.SilentNodeOf(pdb); n != "" { // its pods may be rescheduled in a few minutes, or never
			look = append(look, shell.Format("nodetriage predict {node}", n))
		}
		return look, fmt.Sprintf("none (read-only); make the NotReady pods healthy, then the PodDisruptionBudget allows the eviction. %s does not wait for that: %s",
			shell.Format("--suspend-pdb {namespace}/{pdb}", ns, name), all)
	case w == nil || mechanics.DesiredHealthy(pdb, more) >= more:
		return []shell.Text{suspend}, all
	case o.SingleReplica(o.pod) != nil && o.has(NoRoom):
		return []shell.Text{"nodetriage pools"},
			"none (read-only); a second pod would stay Pending because it fits on no other node: add capacity first, then drain with --surge"
	case o.SingleReplica(o.pod) != nil:
		return []shell.Text{o.drainWith("--surge")}, "two pods of " + o.WorkloadName(o.pod) + " run at the same time for a while; the application must support that"
	case mechanics.Replaces(o.pod) == mechanics.WhenGone:
		return []shell.Text{suspend}, fmt.Sprintf("a planned interruption: %s stops and restarts on another node with its volume (another replica would be another member, not a copy); %s", o.pod.Name, all)
	case mechanics.Copies(w.Kind):
		return []shell.Text{shell.Format("kubectl scale -n {namespace} {workload} --replicas={replicas}", ns, o.WorkloadName(o.pod), fmt.Sprint(w.Replicas+1))},
			"one more pod is running during the drain; scale back afterwards"
	}
	return []shell.Text{suspend}, all
}
