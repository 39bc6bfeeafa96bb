package drain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Options are the options of a plan.
type Options struct {
	Nodes  []string
	Now    time.Time // to judge by; zero: when the evidence was taken
	Accept []Kind    // blockers whose risk is accepted
	// Suspend names PodDisruptionBudgets, as namespace/name or name, that are suspended during the drain.
	Suspend []string
	Surge   bool           // a workload with a single replica gets a second one first
	Board   placement.Open // where replacements fit; nil: unknown
}

// builder builds one plan.
type builder struct {
	*clusterview.View
	opt  Options
	plan *Plan
}

// candidate is a pod of the nodes and its plan.
type candidate struct {
	*Obstacles
	b    *builder
	plan Pod
	// miscounted: its PodDisruptionBudget counts unhealthy pods as healthy.
	miscounted bool
}

// New plans the drain of nodes in the snapshot.
func New(s *evidence.Snapshot, opt Options) (*Plan, error) {
	b := &builder{View: clusterview.New(s, opt.Now), opt: opt, plan: &Plan{
		APIVersion: evidence.APIVersion, Kind: "DrainPlan", TakenAt: clusterview.At(s, opt.Now), Source: s.Data().Source.String(), Nodes: opt.Nodes,
		Pods: []Pod{}, SideEffects: []string{}, Accepted: opt.Accept,
	}}
	b.Closed = opt.Nodes
	for _, n := range opt.Nodes {
		if s.Node(n) == nil {
			return nil, &evidence.AbsentError{What: "node", Name: n}
		}
	}
	if err := b.chooseBudgets(); err != nil {
		return nil, err
	}
	pods := b.candidates()
	b.check(pods)
	b.waves(pods)
	b.outages(pods)
	b.sideEffects(pods)
	b.finish(pods)
	return b.plan, nil
}

// nodes returns the nodes to drain.
func (b *builder) nodes() []*evidence.Node {
	var out []*evidence.Node
	for _, n := range b.opt.Nodes {
		out = append(out, b.Node(n))
	}
	return out
}

// chooseBudgets removes the PodDisruptionBudgets to suspend.
func (b *builder) chooseBudgets() error {
	found := make([]int, len(b.opt.Suspend))
	var kept []*evidence.PDB
	for _, pdb := range b.Data().PDBs {
		if m, _ := pdb.Suspended(); m != nil {
			b.add("PodDisruptionBudget %s/%s was suspended by a drain by %s at %s: it is restored when that drain ends, or by the next one", pdb.Namespace, pdb.Name, m.Who(), m.At.Format("2006-01-02 15:04:05Z"))
		}
		i := slices.IndexFunc(b.opt.Suspend, func(name string) bool { return name == pdb.Name || name == pdb.Namespace+"/"+pdb.Name })
		if i < 0 {
			kept = append(kept, pdb)
			continue
		}
		if found[i]++; found[i] > 1 {
			return fmt.Errorf("PodDisruptionBudget %q exists in several namespaces; use NAMESPACE/NAME", b.opt.Suspend[i])
		}
		b.plan.Suspend = append(b.plan.Suspend, pdb.Namespace+"/"+pdb.Name)
		b.plan.SideEffects = append(b.plan.SideEffects, fmt.Sprintf("PodDisruptionBudget %s/%s is suspended during the drain: %s can be evicted at the same time",
			pdb.Namespace, pdb.Name, wording.Count(int(pdb.Status.CurrentHealthy), "healthy pod")))
	}
	for i, n := range found {
		if n == 0 {
			return &evidence.AbsentError{What: "PodDisruptionBudget", Name: b.opt.Suspend[i], Names: budgetNames(b.Data().PDBs)}
		}
	}
	b.Budgets = mechanics.NewBudgets(kept)
	return nil
}

// budgetNames returns the names of PodDisruptionBudgets, each as NAMESPACE/NAME.
func budgetNames(pdbs []*evidence.PDB) []string {
	out := make([]string, 0, len(pdbs))
	for _, pdb := range pdbs {
		out = append(out, pdb.Namespace+"/"+pdb.Name)
	}
	return out
}

// finish orders the pods and sets the verdict.
func (b *builder) finish(pods []*candidate) {
	slices.SortStableFunc(pods, func(x, y *candidate) int {
		return cmp.Or(cmp.Compare(order(x.plan.Action), order(y.plan.Action)), cmp.Compare(x.plan.Wave, y.plan.Wave), strings.Compare(x.plan.Key(), y.plan.Key()))
	})
	b.unread(pods)
	b.plan.Verdict = plan.Clear
	if len(b.plan.NotChecked) > 0 {
		b.plan.Verdict = plan.Slow
	}
	for _, c := range pods {
		switch {
		case c.plan.Action == Block:
			b.plan.Verdict = plan.Blocked
		case b.plan.Verdict == plan.Clear && (c.plan.Action == Wait || c.plan.Wave > 1 || c.delayed()):
			b.plan.Verdict = plan.Slow
		}
		if c.plan.Action == Evict && c.moves() && c.surges() {
			name := c.SingleReplica(c.pod).Name
			b.plan.Surges = append(b.plan.Surges, Surge{c.pod.Namespace, name, c.pod.Name})
			c.plan.Message = "of Deployment " + name + ", after a second replica is ready"
		}
		c.plan.Blockers = c.Found()
		b.plan.Pods = append(b.plan.Pods, c.plan)
	}
	b.estimate(pods)
}

func order(a Action) int { return slices.Index([]Action{Block, Evict, Wait, Skip}, a) }

// unread records missing evidence, in the plan and for each pod to evict.
func (b *builder) unread(pods []*candidate) {
	// A user who may not read webhooks and policies can let the API server call them.
	admission, unknown := b.UnreadAdmission(drainWith(b.opt.Nodes, "--dry-run=server"))
	if unknown != "" {
		b.add("%s", unknown)
	}
	rest := b.Unread(b.opt.Nodes, slices.ContainsFunc(pods, (*candidate).replaced))
	b.plan.AskFirst = len(admission) > 0 && len(rest) == 0
	b.plan.NotChecked = append(append([]triage.NotChecked{}, admission...), rest...)
	for _, x := range b.plan.NotChecked {
		for _, c := range pods {
			if c.moves() {
				c.Add(Blocker{Kind: Unread, Name: c.plan.Key(), Detail: x.What + ": " + x.Why, Unblock: []shell.Text{x.How}, Harm: "none (read-only)", Passing: true})
			}
		}
	}
}
