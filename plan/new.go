package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/admission"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/placement"
	"github.com/nodetriage/nodetriage/triage"
)

// Options of a plan.
type Options struct {
	Nodes  []string
	Now    time.Time // to judge by; zero: when the evidence was taken
	Accept []Kind    // blockers whose harm is accepted
	// Suspend names budgets, as namespace/name or name, that are put out of force for the time of the drain.
	Suspend []string
	Surge   bool           // a workload with a single replica gets a second one first
	Board   placement.Open // where replacements fit; nil: that is unknown
}

// builder makes one plan.
type builder struct {
	s       *evidence.Snapshot
	opt     Options
	budgets mechanics.Budgets
	// policies judge what a drain asks of the API server.
	policies *admission.Policies
	byOwner  map[evidence.Owner][]*evidence.Pod // ready pods by the end of their chain of controllers
	plan     *Drain
}

// candidate is a pod of the nodes and what is planned for it.
type candidate struct {
	b       *builder
	pod     *evidence.Pod
	plan    Pod
	budgets []*evidence.PDB
	// miscounted: its budget counts pods as healthy that are not.
	miscounted bool
}

// NewDrain plans the drain of nodes that the snapshot has.
func NewDrain(s *evidence.Snapshot, opt Options) (*Drain, error) {
	if opt.Now.IsZero() {
		opt.Now = s.TakenAt()
	}
	b := &builder{s: s, opt: opt, policies: admission.New(s), plan: &Drain{
		APIVersion: "nodetriage.dev/v1alpha1", Kind: "DrainPlan", Nodes: opt.Nodes,
		Pods: []Pod{}, SideEffects: []string{}, NotChecked: []triage.NotChecked{},
	}}
	for _, n := range opt.Nodes {
		if s.Node(n) == nil {
			return nil, fmt.Errorf("plan the drain of node %s: the evidence does not have it", n)
		}
	}
	if err := b.chooseBudgets(); err != nil {
		return nil, err
	}
	b.indexOwners()
	pods := b.candidates()
	b.check(pods)
	b.waves(pods)
	b.sideEffects(pods)
	b.finish(pods)
	return b.plan, nil
}

// nodes are those to be drained.
func (b *builder) nodes() []*evidence.Node {
	var out []*evidence.Node
	for _, n := range b.opt.Nodes {
		out = append(out, b.s.Node(n))
	}
	return out
}

// chooseBudgets leaves out the budgets that are to be suspended.
func (b *builder) chooseBudgets() error {
	found := make([]int, len(b.opt.Suspend))
	var kept []*evidence.PDB
	for _, pdb := range b.s.Data().PDBs {
		if m := evidence.ReadMark(pdb.Annotations, evidence.MarkSuspend); m != nil {
			b.add("budget %s/%s is out of force since a drain of %s at %s: it is put back when that drain ends, or by the next one", pdb.Namespace, pdb.Name, m.By, m.At.Format("2006-01-02 15:04:05Z"))
		}
		i := slices.IndexFunc(b.opt.Suspend, func(name string) bool { return name == pdb.Name || name == pdb.Namespace+"/"+pdb.Name })
		if i < 0 {
			kept = append(kept, pdb)
			continue
		}
		if found[i]++; found[i] > 1 {
			return fmt.Errorf("suspend budget %s: several namespaces have one of that name; write NAMESPACE/NAME", b.opt.Suspend[i])
		}
		b.plan.Suspend = append(b.plan.Suspend, pdb.Namespace+"/"+pdb.Name)
		b.plan.SideEffects = append(b.plan.SideEffects, fmt.Sprintf("budget %s/%s is not in force during the drain: %s may go at once",
			pdb.Namespace, pdb.Name, count(int(pdb.Status.CurrentHealthy), "healthy pod")))
	}
	for i, n := range found {
		if n == 0 {
			return fmt.Errorf("suspend budget %s: the evidence does not have it; kubectl get pdb -A lists them", b.opt.Suspend[i])
		}
	}
	b.budgets = mechanics.NewBudgets(kept)
	return nil
}

func (b *builder) indexOwners() {
	b.byOwner = map[evidence.Owner][]*evidence.Pod{}
	for _, p := range b.s.Data().Pods {
		if p.Ready == evidence.True && p.Owner != (evidence.Owner{}) {
			o := b.topOwner(p)
			b.byOwner[o] = append(b.byOwner[o], p)
		}
	}
}

// topOwner is the end of the pod's chain of controllers, with the namespace in its name.
func (b *builder) topOwner(p *evidence.Pod) evidence.Owner {
	if w := b.s.TopOwnerOf(p); w != nil {
		return evidence.Owner{Kind: w.Kind, Name: w.Namespace + "/" + w.Name}
	}
	return evidence.Owner{Kind: p.Owner.Kind, Name: p.Namespace + "/" + p.Owner.Name}
}

// finish orders the pods and gives the verdict.
func (b *builder) finish(pods []*candidate) {
	slices.SortStableFunc(pods, func(x, y *candidate) int {
		return cmp.Or(cmp.Compare(order(x.plan.Action), order(y.plan.Action)), cmp.Compare(x.plan.Wave, y.plan.Wave), strings.Compare(x.plan.Key(), y.plan.Key()))
	})
	admission := len(b.plan.NotChecked)
	b.unread(pods)
	b.plan.AskFirst = b.plan.AskFirst && len(b.plan.NotChecked) == admission
	b.plan.Verdict = Clear
	if len(b.plan.NotChecked) > 0 {
		b.plan.Verdict = Slow
	}
	for _, c := range pods {
		switch {
		case c.plan.Action == Block:
			b.plan.Verdict = Blocked
		case b.plan.Verdict == Clear && (c.plan.Action == Wait || c.plan.Wave > 1 || c.delayed()):
			b.plan.Verdict = Slow
		}
		if c.plan.Action == Evict && c.moves() && c.surges() {
			b.plan.Surges = append(b.plan.Surges, Surge{c.pod.Namespace, c.single().Name, c.pod.Name})
		}
		b.plan.Pods = append(b.plan.Pods, c.plan)
	}
	b.estimate(pods)
}

func order(a Action) int { return slices.Index([]Action{Block, Evict, Wait, Skip}, a) }

// notChecked notes what the evidence does not tell, on the plan and on each pod that goes.
func (b *builder) notChecked(pods []*candidate, what, why, how string) {
	b.plan.NotChecked = append(b.plan.NotChecked, triage.NotChecked{What: what, Why: why, How: how})
	for _, c := range pods {
		if c.moves() {
			c.block(Blocker{Kind: Unread, Name: c.plan.Key(), Detail: what + " is not known: " + why, Unblock: []string{how}, Harm: "none by looking", passing: true})
		}
	}
}

// unread lists what a plan needs and the evidence does not have.
func (b *builder) unread(pods []*candidate) {
	for _, need := range []struct {
		kind      evidence.Kind
		what, how string
	}{
		{evidence.Pods, "which pods run on the nodes", "kubectl get pods -A -o json"},
		{evidence.PDBs, "which budgets hold the pods", "kubectl get pdb -A -o json"},
	} {
		if b.s.Covers(need.kind) == evidence.NotRead {
			b.notChecked(pods, need.what, "the evidence has none of them", need.how)
		}
	}
	if b.open() == 0 && b.s.Covers(evidence.Nodes) != evidence.Complete && slices.ContainsFunc(pods, (*candidate).replaced) {
		b.notChecked(pods, "whether another node takes the pods", "the evidence shows none that is open, and may not show all", "kubectl get nodes,pods -A -o json")
	}
	for _, n := range b.opt.Nodes {
		for _, p := range b.s.PodsOn(n) {
			if p.Partial {
				b.notChecked(pods, "what holds the pods of node "+n, "they were read from a table, without labels, owners and volumes", "kubectl get pods -A -o json")
				break
			}
		}
	}
	for _, pdb := range b.s.Data().PDBs {
		if pdb.Partial {
			b.notChecked(pods, "which pods the budgets hold", "they were read from a table, without selectors", "kubectl get pdb -A -o json")
			break
		}
	}
}
