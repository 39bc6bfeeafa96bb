package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/admission"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// recordStuck records that a node cannot be drained, and why, as of now.
func (r *rollout) recordStuck(m *poolNode, then string) {
	s := Stuck{Node: m.name, At: plan.At(r.now), Done: r.replaced, Then: then, Pods: []StuckPod{}, byPlacement: true}
	pods := slices.Clone(m.pods)
	slices.SortFunc(pods, func(a, b *simPod) int { return cmp.Or(cmp.Compare(b.state, a.state), strings.Compare(a.key, b.key)) })
	for _, p := range pods {
		ns, name, _ := strings.Cut(p.key, "/")
		s.byPlacement = s.byPlacement && p.moved
		s.Pods = append(s.Pods, StuckPod{ns, name, r.blockers(m, p)})
	}
	r.stuck = append(r.stuck, s)
}

// stuckNodes returns the nodes that cannot be drained.
func (r *rollout) stuckNodes() map[string]bool {
	out := map[string]bool{}
	for _, s := range r.stuck {
		out[s.Node] = true
	}
	return out
}

// stuckByPlacement returns nodes blocked only by pods that the scheduler might have placed elsewhere.
func (r *rollout) stuckByPlacement() map[string]bool {
	out := map[string]bool{}
	for _, s := range r.stuck {
		if s.byPlacement {
			out[s.Node] = true
		}
	}
	return out
}

// blockers returns what keeps one pod on its node.
func (r *rollout) blockers(m *poolNode, p *simPod) []drain.Blocker {
	var budgets []*evidence.PDB
	if p.state != leaving {
		for _, x := range r.ledgersOf(p.like) {
			budgets = append(budgets, x.PDB)
		}
	}
	k := drain.NewObstacles(r.view, p.like, m.name, budgets)
	if p.state == leaving {
		if r.view.Node(m.name) != nil {
			k.NotEnded()
		}
		k.Finalizers()
		if len(k.Found()) == 0 {
			r.slowEnd(k, p.like)
		}
		return k.Found()
	}
	k.SeveralBudgets()
	k.Webhooks()
	k.Denied(admission.Eviction(p.like), "the eviction is rejected", true)
	if len(budgets) == 1 {
		r.keptByBudget(k, m, p.like, r.ledgersOf(p.like)[0])
	}
	found := k.Found()
	for i := range found {
		r.beforeUpgrade(p.like, budgets, &found[i])
	}
	return found
}

// slowEnd adds that the pod takes longer to terminate than the drain timeout.
func (r *rollout) slowEnd(k *drain.Obstacles, pod *evidence.Pod) {
	grace := mechanics.GracePeriod(pod)
	x := drain.Blocker{Kind: drain.Grace, Name: pod.Key(), Detail: fmt.Sprintf("it was evicted and may take its grace period of %s to terminate; the drain of the node times out after %s", wording.Duration(grace), wording.Duration(r.set.DrainTimeout))}
	if r.strategy.timeoutIsSet {
		r.drainLonger(&x, grace)
	} else if w := r.view.TopOwnerOf(pod); w != nil && mechanics.RollsOut(w.Kind, w) && r.set.DrainTimeout > 2*time.Minute {
		seconds := int((r.set.DrainTimeout - time.Minute).Seconds())
		x.Unblock = []shell.Text{shell.Format(`kubectl patch -n {namespace} {kind}/{name} --type=merge -p '{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":{seconds}}}}}'`,
			w.Namespace, strings.ToLower(w.Kind), w.Name, strconv.Itoa(seconds))}
		x.What = "shorten the grace period"
		x.Harm = fmt.Sprintf("all its pods are replaced now, with the old grace period; after that, a pod that needs more than %ds to terminate is killed", seconds)
	}
	k.Add(x)
}

// drainLonger is the change that gives the drain of a node more than so much time, where the style lets people set it.
func (r *rollout) drainLonger(x *drain.Blocker, than time.Duration) {
	if !r.strategy.timeoutIsSet {
		return
	}
	minutes := int((than + 10*time.Minute).Minutes())
	x.Unblock = []shell.Text{r.az("update", shell.Format("--drain-timeout {minutes}", strconv.Itoa(minutes)))}
	x.What, x.Harm = "give the drain of a node more time", "none: draining a node may take longer"
}

// waitsForStart explains that the budget lets the pod go when a replacement is ready, which takes longer than the drain may.
func (r *rollout) waitsForStart(x *drain.Blocker, m *poolNode, pod *evidence.Pod, held *ledger) {
	start := r.startOf(pod)
	x.Detail = fmt.Sprintf("PodDisruptionBudget %s blocks it (%d healthy, %d required) until a replacement is ready, which takes up to %s; the drain of the node times out after %s",
		held.Name, held.Status.CurrentHealthy, held.Status.DesiredHealthy, wording.Duration(start.Latest()), wording.Duration(r.set.DrainTimeout))
	each := start.Latest() + mechanics.GracePeriod(pod) + drain.RetryAfter
	r.drainLonger(x, time.Duration(len(m.pods)+1)*each)
}

// keptByBudget explains why the PodDisruptionBudget blocks the pod at this point of the upgrade.
func (r *rollout) keptByBudget(k *drain.Obstacles, m *poolNode, pod *evidence.Pod, held *ledger) {
	x := drain.OfBudget(held.PDB)
	var homeless []*simPod
	for _, p := range r.waiting {
		if !p.roomless && slices.Contains(r.ledgersOf(p.like), held) {
			homeless = append(homeless, p)
		}
	}
	switch {
	case len(homeless) > 0:
		x.Kind = drain.NoRoom
		x.Detail = fmt.Sprintf("PodDisruptionBudget %s blocks it (%d healthy, %d required) until the replacement of %s is running, which fits on no node: %s",
			held.Name, held.Status.CurrentHealthy, held.Status.DesiredHealthy, homeless[0].key, homeless[0].says)
		x.What = "add capacity first"
		x.Unblock, x.Harm = r.room(homeless[0])
	case held.starting > 0 && !mechanics.NeverAllows(held.PDB):
		r.waitsForStart(&x, m, pod, held)
	default:
		x.Detail = plan.Join(clusterview.WhyRefused(held.PDB, pod), clusterview.Lacking(r.view.Snapshot, held.PDB), clusterview.OwnedBy(held.PDB))
		k.Unblock(&x, held.PDB)
	}
	k.Add(x)
}

// room checks whether an additional node would help, and returns how to add it.
func (r *rollout) room(p *simPod) ([]shell.Text, string) {
	answer := r.onNewNode(p.like)
	if answer.Verdict == placement.Pending {
		return []shell.Text{shell.Format("kubectl get pod -n {namespace} {pod} -o yaml", p.like.Namespace, p.like.Name)},
			"none (read-only); one more node of this type would not help (" + answer.Message + "); lower the pod's requests, or relax its constraints"
	}
	size := fmt.Sprint(len(r.pool.nodes) + 1)
	harm := "one more node is running, and billed, until the pool is scaled back"
	switch r.set.Style {
	case AKS:
		return []shell.Text{r.az("scale", shell.Format("--node-count {count}", size))}, harm
	case EKS:
		return []shell.Text{shell.Format("eksctl scale nodegroup --cluster <cluster> --name {pool} --nodes {count}", r.pool.name, size)}, harm
	case GKE, BlueGreen:
		return []shell.Text{shell.Format("gcloud container clusters resize <cluster> --node-pool {pool} --num-nodes {count}", r.pool.name, size)}, harm
	}
	return []shell.Text{"kubectl get nodes"}, "add one node of this type first; " + harm
}

// onNewNode returns whether the pod fits if the pool has one node more.
func (r *rollout) onNewNode(pod *evidence.Pod) placement.Answer {
	n := newNode(r.pool.model(r.pool.zones()[0]).Node, r.pool.name+"-more")
	r.board.PutNode(n)
	defer r.board.RemoveNode(n.Name)
	return r.board.Fit(pod)
}

// az returns a command on the pool, with the names in its evidence.
func (r *rollout) az(verb, flags shell.Text) shell.Text {
	group, cluster := "", ""
	if r.pool.cloud != nil {
		parts := strings.Split(r.pool.cloud.ID, "/")
		for i := 0; i+1 < len(parts); i++ {
			switch {
			case strings.EqualFold(parts[i], "resourceGroups"):
				group = parts[i+1]
			case strings.EqualFold(parts[i], "managedClusters"):
				cluster = parts[i+1]
			}
		}
	}
	return "az aks nodepool " + verb + shell.Format(" --resource-group {group} --cluster-name {cluster} --name {pool} ", group, cluster, r.pool.name) + flags
}

// beforeUpgrade replaces commands of our drain by what can be done before the upgrade begins.
func (r *rollout) beforeUpgrade(pod *evidence.Pod, budgets []*evidence.PDB, x *drain.Blocker) {
	if x.Passing {
		x.Take(nil)
	}
	if !slices.ContainsFunc(x.Unblock, func(c shell.Text) bool { return strings.HasPrefix(string(c), "nodetriage drain") }) {
		return
	}
	x.What, x.Or = "", nil
	if w := r.view.SingleReplica(pod); w != nil && x.Kind == drain.Budget {
		r.secondFirst(w, pod, x)
		return
	}
	ns, name, _ := strings.Cut(x.Name, "/")
	save := shell.Format("kubectl get pdb -n {namespace} {pdb} -o yaml > {pdb}.yaml", ns, name, name)
	if x.Kind == drain.Budgets {
		x.Unblock = []shell.Text{save, shell.Format("kubectl delete pdb -n {namespace} {pdb}", ns, name)}
		x.What, x.Harm = "delete this PodDisruptionBudget during the upgrade", "only the other PodDisruptionBudget protects the pods until this one is recreated from the file"
		return
	}
	x.Unblock = []shell.Text{save, shell.Format(`kubectl patch pdb -n {namespace} {pdb} --type=merge -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}'`, ns, name)}
	x.What, x.Harm = "allow one disruption during the upgrade", "one pod at a time can be evicted until the PodDisruptionBudget is restored from the file"
	if pod.Owner == (evidence.Owner{}) || mechanics.SyncFailed(budgets[0]) != "" || budgets[0].Status.ExpectedPods == 0 {
		x.Unblock[1] = shell.Format(`kubectl patch pdb -n {namespace} {pdb} --type=merge -p '{"spec":{"minAvailable":0,"maxUnavailable":null}}'`, ns, name)
		x.What, x.Harm = "allow all disruptions during the upgrade", "all pods of the PodDisruptionBudget can be evicted at the same time until the PodDisruptionBudget is restored from the file"
	}
}

// secondFirst sets the ways to run a second pod before the upgrade. A drain moves the pod to another node, which the upgrade may
// drain later, so the change that stays comes first. Without capacity the second pod waits for the surge node.
func (r *rollout) secondFirst(w *evidence.Workload, pod *evidence.Pod, x *drain.Blocker) {
	surge, scale := clusterview.SecondReplica(w, pod.Node)
	surge.Harm += "; if the pod moves to a node that is not upgraded yet, drain that one in the same way"
	if clusterview.SecondFits(r.before, pod) != placement.Pending {
		x.Take([]plan.Way{scale, surge})
		return
	}
	if r.set.Surge > 0 && r.onNewNode(pod).Verdict == placement.Fits {
		scale.Harm += "; the second one is Pending until the surge node has joined"
		x.Take([]plan.Way{scale})
		return
	}
	x.Take([]plan.Way{clusterview.NoSecond()})
}
