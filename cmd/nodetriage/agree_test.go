package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/answers/why"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
)

var clusters = flag.Uint64("clusters", 750, "how many random clusters check, drain, upgrade, why and predict are held against each other on")

// disagreed are seeds of clusters on which commands once contradicted each other, or seemed to.
var disagreed = []uint64{1551, 3858, 3943, 5014, 5203, 5256, 5781, 8370}

// Commands must not contradict each other about a pod.
func TestCommandsAgree(t *testing.T) {
	t.Parallel()
	var wait sync.WaitGroup
	seeds := make(chan uint64)
	for range 2 {
		wait.Go(func() {
			for seed := range seeds {
				(&agreement{t: t, seed: seed, s: randomCluster(seed)}).judge()
			}
		})
	}
	for _, seed := range disagreed {
		seeds <- seed
	}
	for seed := range *clusters {
		seeds <- seed
	}
	close(seeds)
	wait.Wait()
}

// agreement compares the commands on one cluster.
type agreement struct {
	t    *testing.T
	seed uint64
	s    *evidence.Snapshot
}

func (a *agreement) fail(format string, args ...any) {
	a.t.Helper()
	a.t.Errorf("seed %d: %s", a.seed, fmt.Sprintf(format, args...))
}

func (a *agreement) judge() {
	homeless := a.homeless()
	drains := map[string]*drain.Plan{}
	for _, n := range a.s.Data().Nodes {
		d, err := drain.New(a.s, drain.Options{Nodes: []string{n.Name}, Board: scheduler.New})
		if err != nil {
			a.fail("drain: %v", err)
			continue
		}
		drains[n.Name] = d
		a.room(n, d, homeless[n.Name])
		a.budgets(d)
		a.ends(n, d)
		a.fate(n, d)
	}
	a.upgrade(drains)
}

// homeless returns the pods that fit nowhere without their node according to check, by node.
func (a *agreement) homeless() map[string]string {
	out := map[string]string{}
	review := check.New(a.s, noon, scheduler.New)
	for _, w := range review.Weaknesses {
		if w.Check == "node-headroom" {
			for i, x := range w.Subjects {
				out[x.Name] = w.Details[i]
			}
		}
		if w.Check == "budget-exhausted" || w.Check == "budget-never" {
			for _, x := range w.Subjects {
				for _, b := range a.s.Data().PDBs {
					if b.Name == x.Name && b.Status.DisruptionsAllowed > 0 {
						a.fail("check calls budget %s %s, which allows %d", b.Name, w.Check, b.Status.DisruptionsAllowed)
					}
				}
			}
		}
	}
	return out
}

// room: if check finds pods that fit nowhere else, drain is not clear; and if drain finds room for all, check finds none.
func (a *agreement) room(n *evidence.Node, d *drain.Plan, homeless string) {
	if homeless != "" && d.Verdict == plan.Clear {
		a.fail("drain of %s is clear, and check says: %s", n.Name, homeless)
	}
	if d.Verdict == plan.Clear && !mechanics.EndsPods(n) && len(d.Pods) > 0 && slices.ContainsFunc(d.Pods, func(p drain.Pod) bool { return p.Action == drain.Evict }) {
		a.fail("drain of %s is clear, and nothing there ends pods", n.Name)
	}
	for _, p := range d.Pods {
		if p.Placement == placement.Pending && p.Action == drain.Evict {
			a.fail("drain evicts %s, whose replacement fits nowhere: %s", p.Key(), p.Message)
		}
	}
}

// budgets: no more pods are evicted at once than each budget allows. why and drain agree about the first eviction.
func (a *agreement) budgets(d *drain.Plan) {
	budgets := mechanics.NewBudgets(a.s.Data().PDBs)
	first := map[*evidence.PDB]int32{}
	for _, x := range d.Pods {
		p := a.s.Pod(x.Namespace, x.Name)
		held := budgets.Of(p)
		if len(held) > 1 && x.Action == drain.Evict {
			a.fail("drain evicts %s, which %d budgets hold", p.Key(), len(held))
		}
		if len(held) != 1 || x.Wave != 1 {
			continue
		}
		answer := mechanics.Answer(held[0], p.Ready)
		if answer == mechanics.Refused {
			a.fail("drain lets %s go at once, and its budget refuses", p.Key())
		}
		if answer == mechanics.Counted {
			first[held[0]]++
		}
		if said := a.why(p); strings.Contains(said.Summary, "an eviction of the pod is refused now") {
			a.fail("drain lets %s go at once, and why says: %s", p.Key(), said.Summary)
		}
	}
	for b, n := range first {
		if n > b.Status.DisruptionsAllowed {
			a.fail("drain lets %d pods of budget %s go at once, which allows %d", n, b.Name, b.Status.DisruptionsAllowed)
		}
	}
}

// ends: durations are never negative, even for long terminations.
func (a *agreement) ends(n *evidence.Node, d *drain.Plan) {
	if d.Estimate.From < 0 || d.Estimate.To < d.Estimate.From {
		a.fail("drain of %s takes %s to %s", n.Name, d.Estimate.From, d.Estimate.To)
	}
}

// fate: predict and why agree about each pod of a node that is down, and predict and drain about a single replacement.
func (a *agreement) fate(n *evidence.Node, d *drain.Plan) {
	event := predict.PowerOff
	if n.NotReady() {
		event = predict.AlreadyDown
	}
	f, err := predict.New(a.s, predict.Scenario{Nodes: []string{n.Name}, Event: event, Board: scheduler.New})
	if err != nil {
		a.fail("predict %s of %s: %v", event, n.Name, err)
		return
	}
	var moving []drain.Pod
	for _, p := range d.Pods {
		if p.Placement != placement.Unknown {
			moving = append(moving, p)
		}
	}
	for _, fate := range f.Pods {
		p := a.s.Pod(fate.Namespace, fate.Name)
		said := a.why(p)
		if n.NotReady() {
			a.evicted(p, fate, said, f)
		}
		switch r := mechanics.Replaces(p); {
		case r == mechanics.NotReplaced && fate.Replacement.Kind != predict.None, fate.Replacement.Kind == predict.Created && fate.DeletedAt == nil:
			a.fail("predict has %s replaced: %s", p.Key(), fate.Replacement.Kind)
		}
		if mechanics.ToleratesCordon(p) {
			continue // it may return to the node, where the old one uses capacity until it terminates
		}
		if place := fate.Replacement.Placement; len(moving) == 1 && moving[0].Key() == p.Key() && (place == placement.Fits || place == placement.Pending) && place != moving[0].Placement {
			a.fail("the replacement of %s %s by drain, and %s by predict", p.Key(), moving[0].Placement, place)
		}
	}
}

// evicted: why and predict agree about the eviction of a pod.
func (a *agreement) evicted(p *evidence.Pod, fate predict.PodFate, said why.Pod, f *predict.Forecast) {
	switch forever := strings.Contains(said.Summary, "nothing evicts it"); {
	case forever && fate.DeletedAt != nil:
		a.fail("why says of %s: %s; and predict deletes it at %s", p.Key(), said.Summary, fate.DeletedAt)
	case strings.Contains(said.Summary, "its eviction is due in") && fate.DeletedAt == nil:
		a.fail("why says of %s: %s; and predict lets it stay", p.Key(), said.Summary)
	case strings.Contains(said.Summary, "its eviction is due in"):
		var clock time.Time
		if _, at, found := strings.Cut(said.Summary, ", at "); found {
			clock, _ = time.Parse(time.DateTime, noon.Format(time.DateOnly)+" "+at[:len(time.TimeOnly)])
		}
		from, to := f.EventAt.Add(time.Duration(fate.DeletedAt.From)), f.EventAt.Add(time.Duration(fate.DeletedAt.To))
		if clock.Before(from.Add(-2*time.Second)) || clock.After(to.Add(2*time.Second)) {
			a.fail("why has %s evicted at %s, predict between %s and %s", p.Key(), clock, from, to)
		}
	}
	if said.Verdict == why.Fine {
		a.fail("why calls %s fine on a node that is not ready", p.Key())
	}
}

func (a *agreement) why(p *evidence.Pod) why.Pod {
	answer, err := why.Ask(a.s, p.Subject(), noon, scheduler.New)
	if err != nil {
		a.fail("why %s: %v", p.Key(), err)
		return why.Pod{}
	}
	return answer.Pods[0]
}

// upgrade: the upgrade of a pool is not clear if a budget that never allows an eviction blocks the drain of its nodes.
func (a *agreement) upgrade(drains map[string]*drain.Plan) {
	u, err := upgrade.New(a.s, upgrade.Options{Pool: "p", Now: noon, Board: scheduler.New})
	if err != nil {
		a.fail("upgrade: %v", err)
		return
	}
	for node, d := range drains {
		for _, p := range d.Pods {
			for _, b := range p.Blockers {
				if b.Kind != drain.Budget || p.Action != drain.Block {
					continue
				}
				for _, pdb := range a.s.Data().PDBs {
					if b.Name == pdb.Namespace+"/"+pdb.Name && mechanics.NeverAllows(pdb) && a.s.Pod(p.Namespace, p.Name).Ready == evidence.True && u.Verdict == plan.Clear {
						a.fail("upgrade is clear, and %s on %s may never go: %s", p.Key(), node, b.Detail)
					}
				}
			}
		}
	}
}
