package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/admission"
	"github.com/nodetriage/nodetriage/clusterview"
	"github.com/nodetriage/nodetriage/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/placement"
	"github.com/nodetriage/nodetriage/plan"
)

// note keeps that a node does not become empty, and why, as things stand.
func (c *course) note(m *machine, then string) {
	s := Stuck{Node: m.name, At: plan.Interval{From: c.now}, Done: c.done, Then: then, Pods: []StuckPod{}, picked: true}
	pods := slices.Clone(m.pods)
	slices.SortFunc(pods, func(a, b *mover) int { return cmp.Or(cmp.Compare(b.state, a.state), strings.Compare(a.key, b.key)) })
	for _, p := range pods {
		ns, name, _ := strings.Cut(p.key, "/")
		s.picked = s.picked && p.moved
		s.Pods = append(s.Pods, StuckPod{ns, name, c.blockers(m, p)})
	}
	c.stuck = append(c.stuck, s)
}

// held are the nodes that do not become empty.
func (c *course) held() map[string]bool {
	out := map[string]bool{}
	for _, s := range c.stuck {
		out[s.Node] = true
	}
	return out
}

// chance are the nodes that do not become empty only for pods that may as well have come to run elsewhere.
func (c *course) chance() map[string]bool {
	out := map[string]bool{}
	for _, s := range c.stuck {
		if s.picked {
			out[s.Node] = true
		}
	}
	return out
}

// blockers are what keeps one pod on its node.
func (c *course) blockers(m *machine, p *mover) []drain.Blocker {
	var budgets []*evidence.PDB
	if p.state != leaving {
		for _, x := range c.booksOf(p.like) {
			budgets = append(budgets, x.PDB)
		}
	}
	k := drain.NewObstacles(c.view, p.like, m.name, budgets)
	if p.state == leaving {
		if c.view.Node(m.name) != nil {
			k.NotEnded()
		}
		k.Finalizers()
		if len(k.Found()) == 0 {
			c.slowEnd(k, p.like)
		}
		return k.Found()
	}
	k.SeveralBudgets()
	k.Webhooks()
	k.Denied(admission.Eviction(p.like), "the eviction is refused", true)
	if len(budgets) == 1 {
		c.keeps(k, p.like, c.booksOf(p.like)[0])
	}
	found := k.Found()
	for i := range found {
		c.inAdvance(p.like, budgets, &found[i])
	}
	return found
}

// slowEnd is a pod that takes longer to end than the drain may.
func (c *course) slowEnd(k *drain.Obstacles, pod *evidence.Pod) {
	grace := mechanics.GracePeriod(pod)
	x := drain.Blocker{Kind: drain.Grace, Name: pod.Key(), Detail: fmt.Sprintf("it was evicted, and may take its grace period of %s to end; the drain of the node is given up after %s", grace, c.set.DrainTimeout)}
	if c.set.Style == AKS {
		minutes := int((grace + 10*time.Minute).Minutes())
		x.Unblock = []string{c.az("update", fmt.Sprintf("--drain-timeout %d", minutes))}
		x.Harm = "none: a node may take longer to become empty"
	} else if w := c.view.TopOwnerOf(pod); w != nil && mechanics.Scales(w.Kind) && c.set.DrainTimeout > 2*time.Minute {
		seconds := int((c.set.DrainTimeout - time.Minute).Seconds())
		x.Unblock = []string{command(fmt.Sprintf(`kubectl patch -n %% %%/%% --type=merge -p '{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":%d}}}}'`, seconds),
			w.Namespace, strings.ToLower(w.Kind), w.Name)}
		x.Harm = fmt.Sprintf("all its pods are replaced now, with the old grace period; from then on a pod that needs more than %ds to end is killed", seconds)
	}
	k.Add(x)
}

// keeps explains why the budget keeps the pod at this point of the upgrade.
func (c *course) keeps(k *drain.Obstacles, pod *evidence.Pod, held *book) {
	x := drain.OfBudget(held.PDB)
	var homeless []*mover
	for _, p := range c.waiting {
		if !p.old && slices.Contains(c.booksOf(p.like), held) {
			homeless = append(homeless, p)
		}
	}
	if len(homeless) == 0 {
		x.Detail = plan.Join(clusterview.WhyRefused(held.PDB, pod), clusterview.Lacking(c.view.Snapshot, held.PDB), clusterview.OwnedBy(held.PDB))
		x.Unblock, x.Harm = k.Unblock(held.PDB)
		k.Add(x)
		return
	}
	x.Kind = drain.NoRoom
	x.Detail = fmt.Sprintf("budget %s keeps it (%d healthy, %d needed) until the replacement of %s runs, which fits on no node: %s",
		held.Name, held.Status.CurrentHealthy, held.Status.DesiredHealthy, homeless[0].key, homeless[0].says)
	x.Unblock, x.Harm = c.room(homeless[0])
	k.Add(x)
}

// room tries whether one node more would help, and says how to get it.
func (c *course) room(p *mover) ([]string, string) {
	zones := c.pool.zones()
	n := likeNew(c.pool.model(zones[0]).Node, c.pool.name+"-more")
	c.board.PutNode(n)
	answer := c.board.Place(p.like)
	c.board.RemoveNode(n.Name)
	if answer.Verdict == placement.Pending {
		return []string{command("kubectl get pod -n % % -o yaml", p.like.Namespace, p.like.Name)},
			"none by looking: one node more of this shape would not help (" + answer.Message + "); lower what the pod asks for, or make it fit elsewhere"
	}
	size := fmt.Sprint(len(c.pool.nodes) + 1)
	harm := "one node more runs, and is paid for, until the pool is scaled back"
	switch c.set.Style {
	case AKS:
		return []string{c.az("scale", "--node-count "+size)}, harm
	case EKS:
		return []string{command("eksctl scale nodegroup --cluster <cluster> --name % --nodes %", c.pool.name, size)}, harm
	case GKE, BlueGreen:
		return []string{command("gcloud container clusters resize <cluster> --node-pool % --num-nodes %", c.pool.name, size)}, harm
	}
	return []string{"kubectl get nodes"}, "add one node of this shape first; " + harm
}

// az is a command on the pool, with the names that its evidence has.
func (c *course) az(verb, flags string) string {
	group, cluster := "", ""
	if c.pool.cloud != nil {
		parts := strings.Split(c.pool.cloud.ID, "/")
		for i := 0; i+1 < len(parts); i++ {
			switch {
			case strings.EqualFold(parts[i], "resourceGroups"):
				group = parts[i+1]
			case strings.EqualFold(parts[i], "managedClusters"):
				cluster = parts[i+1]
			}
		}
	}
	return command("az aks nodepool "+verb+" --resource-group % --cluster-name % --name % "+flags, group, cluster, c.pool.name)
}

// inAdvance puts what is done before an upgrade in the place of what a drain of ours would do while it runs.
func (c *course) inAdvance(pod *evidence.Pod, budgets []*evidence.PDB, x *drain.Blocker) {
	if x.Passing {
		x.Unblock, x.Harm = []string{}, ""
	}
	if !slices.ContainsFunc(x.Unblock, func(c string) bool { return strings.HasPrefix(c, "nodetriage drain") }) {
		return
	}
	if w := c.view.SingleReplica(pod); w != nil && x.Kind == drain.Budget {
		x.Unblock = []string{command("kubectl scale -n % deployment/% --replicas=2", w.Namespace, w.Name)}
		x.Harm = "two pods of " + c.view.WorkloadName(pod) + " run at once; the application must bear that; scale back afterwards"
		return
	}
	ns, name, _ := strings.Cut(x.Name, "/")
	save := command("kubectl get pdb -n % % -o yaml > %.yaml", ns, name, name)
	if x.Kind == drain.Budgets {
		x.Unblock = []string{save, command("kubectl delete pdb -n % %", ns, name)}
		x.Harm = "the other budget holds the pods alone until this one is created again from the file"
		return
	}
	x.Unblock = []string{save, command(`kubectl patch pdb -n % % --type=merge -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}'`, ns, name)}
	x.Harm = "one pod at a time may go until the budget is put back from the file"
	if pod.Owner == (evidence.Owner{}) || mechanics.SyncFailed(budgets[0]) != "" || budgets[0].Status.ExpectedPods == 0 {
		x.Unblock[1] = command(`kubectl patch pdb -n % % --type=merge -p '{"spec":{"minAvailable":0,"maxUnavailable":null}}'`, ns, name)
		x.Harm = "its pods may go at any time, all at once, until the budget is put back from the file"
	}
}
