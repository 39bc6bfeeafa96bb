package upgrade_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
)

const pools, seed = 60, 20261129

// What is true of every plan is true of random pools with random workloads, budgets and settings.
func TestRandomPools(t *testing.T) {
	verdicts := map[plan.Verdict]int{}
	for i := range pools {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			p := randomPool(rand.New(rand.NewPCG(seed, uint64(i))))
			t.Logf("%+v\n%s", p.opt, p.table())
			s := snapshots.OfTable(t, p.table(), nil)
			w := &watched{t: t, pool: p}
			opt := p.opt
			opt.Board = w.open
			u, err := upgrade.New(s, opt)
			if err != nil {
				t.Fatal(err)
			}
			w.end(u)
			opt.Board = scheduler.New
			if again, err := upgrade.New(s, opt); err != nil || !reflect.DeepEqual(u, again) {
				t.Errorf("a second plan differs (%v)", err)
			}
			p.check(t, u)
			verdicts[u.Verdict]++
		})
	}
	for _, v := range []plan.Verdict{plan.Clear, plan.Blocked, plan.Harmful} {
		if verdicts[v] == 0 {
			t.Errorf("no pool with verdict %s: %v", v, verdicts)
		}
	}
}

// randomCluster is a pool with a few workloads. Its nodes are large enough for everything unless it is tight.
type randomCluster struct {
	nodes int
	zones int
	tight bool
	apps  []randomApp
	opt   upgrade.Options
	width int // nodes that may be drained at a time
}

type randomApp struct {
	kind   string
	on     []string
	budget string // its bound; empty: none
	unborn bool   // no controller creates its pods again
}

func oneOf[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func randomPool(r *rand.Rand) randomCluster {
	p := randomCluster{nodes: 2 + r.IntN(4), zones: 1 + r.IntN(3), tight: r.IntN(3) == 0}
	room := map[string]int{} // for tight pods
	for _, n := range p.names() {
		room[n] = 3
	}
	for range 1 + r.IntN(3) {
		a := randomApp{kind: oneOf(r, "deployment", "deployment", "statefulset", "daemonset", "pod")}
		for range 1 + r.IntN(5) {
			if n := oneOf(r, p.names()...); !p.tight || room[n] > 0 {
				a.on = append(a.on, n)
				room[n]--
			}
		}
		switch {
		case a.kind == "daemonset" && p.tight:
			a.kind = "deployment"
		case a.kind == "daemonset":
			a.on = p.names()
		}
		if len(a.on) == 0 {
			continue
		}
		a.unborn = a.kind == "pod"
		if a.kind == "deployment" || a.kind == "statefulset" {
			a.budget = oneOf(r, "", "max=1", "max=1", "max=50%", "min=1", fmt.Sprintf("min=%d", len(a.on)))
		}
		p.apps = append(p.apps, a)
	}
	surge, away := r.IntN(3), r.IntN(2)
	if surge+away == 0 {
		surge = 1
	}
	p.opt = upgrade.Options{Pool: "np1", Style: oneOf(r, upgrade.Styles...), MaxUnavailable: fmt.Sprint(away)}
	if p.opt.Style != upgrade.BlueGreen {
		p.opt.Surge = fmt.Sprint(surge)
	}
	if p.opt.Style == upgrade.AKS {
		p.opt.Undrainable = oneOf(r, "", "cordon")
	}
	if p.opt.Style == upgrade.EKS {
		p.opt.Undrainable = oneOf(r, "", "force")
	}
	switch p.opt.Style {
	case upgrade.EKS, upgrade.BlueGreen:
		p.width = max(1, away)
	case upgrade.GKE:
		p.width = surge + away
	default:
		p.width = surge
		if surge == 0 {
			p.width = away
		}
	}
	return p
}

func (p randomCluster) names() (out []string) {
	for i := range p.nodes {
		out = append(out, fmt.Sprintf("n%d", i))
	}
	return out
}

// table describes the cluster.
func (p randomCluster) table() string {
	var out strings.Builder
	for i, n := range p.names() {
		fmt.Fprintf(&out, "node %s pool=np1 zone=z%d cpu=4\n", n, i%p.zones)
	}
	cpu := "10m"
	if p.tight {
		cpu = "1200m"
	}
	for i, a := range p.apps {
		fmt.Fprintf(&out, "%s shop/app%d on=%s cpu=%s\n", a.kind, i, strings.Join(a.on, ","), cpu)
		if a.budget != "" {
			fmt.Fprintf(&out, "budget shop/app%d %s\n", i, a.budget)
		}
	}
	return out.String()
}

// never reports whether the budget of the workload allows no eviction however many of its pods are ready.
func (a randomApp) never() bool {
	return a.budget == fmt.Sprintf("min=%d", len(a.on)) || a.budget == "max=0"
}

// forces reports whether a drain ends pods against their budgets when its time is over.
func (p randomCluster) forces() bool {
	switch p.opt.Style {
	case upgrade.GKE, upgrade.BlueGreen:
		return true
	case upgrade.EKS:
		return p.opt.Undrainable == "force"
	}
	return false
}

// check holds a plan against what is true of all.
func (p randomCluster) check(t *testing.T, u *upgrade.Plan) {
	t.Helper()
	p.checkSteps(t, u)
	p.checkTimes(t, u)
	if p.tight {
		return
	}
	held, lost := map[string]bool{}, []string{}
	for i, a := range p.apps {
		for j := range a.on {
			pod := fmt.Sprintf("shop/app%d-%d", i, j)
			switch {
			case a.never():
				held[pod] = true
			case a.unborn:
				lost = append(lost, pod)
			}
		}
	}
	if blocked := len(held) > 0 && !p.forces(); blocked != (u.Verdict == plan.Blocked) {
		t.Errorf("verdict %s, and %d pods are held by budgets that never let them go", u.Verdict, len(held))
	}
	for _, s := range u.Stuck {
		for _, pod := range s.Pods {
			if !held[pod.Namespace+"/"+pod.Name] {
				t.Errorf("node %s is stuck with pod %s/%s, which may go", s.Node, pod.Namespace, pod.Name)
			}
			if len(pod.Blockers) == 0 {
				t.Errorf("no reason why pod %s/%s stays", pod.Namespace, pod.Name)
			}
		}
	}
	if forced := slices.Sorted(maps.Keys(held)); p.forces() && !slices.Equal(u.Forced, forced) {
		t.Errorf("forced %v, held are %v", u.Forced, forced)
	}
	if slices.Sort(lost); len(u.Stuck) == 0 && !slices.Equal(u.Lost, lost) {
		t.Errorf("lost %v, and nobody makes %v again", u.Lost, lost)
	}
}

// checkSteps: never more nodes at a time than allowed, and every old node once, in its order.
func (p randomCluster) checkSteps(t *testing.T, u *upgrade.Plan) {
	t.Helper()
	var order []string
	for _, s := range u.Steps {
		if strings.Contains(s.Nodes[0], "-new-") {
			continue
		}
		if len(s.Nodes) > p.width {
			t.Errorf("%v are drained together, and %d may be", s.Nodes, p.width)
		}
		order = append(order, s.Nodes...)
	}
	if names := p.names(); !slices.Equal(order, names[:len(order)]) {
		t.Errorf("the order is %v", order)
	} else if len(u.Stuck) == 0 && len(order) != len(names) {
		t.Errorf("nothing is stuck, and only %v are replaced", order)
	}
}

// checkTimes: the slow end of an interval is never before the fast one, and steps follow each other.
func (p randomCluster) checkTimes(t *testing.T, u *upgrade.Plan) {
	t.Helper()
	ordered := func(what string, i plan.Interval) {
		if i.From < 0 || i.To < i.From {
			t.Errorf("%s: from %s to %s", what, i.From, i.To)
		}
	}
	ordered("duration", u.Duration)
	ordered("peak", u.Peak.At)
	var last plan.Duration
	for _, s := range u.Steps {
		ordered("begin", s.Begin)
		ordered("end", s.End)
		if s.Begin.From < last || s.End.From < s.Begin.From || s.End.To < s.Begin.To {
			t.Errorf("step %v: %v to %v, after one that began at %s", s.Nodes, s.Begin, s.End, last)
		}
		last = s.Begin.From
	}
	for _, s := range u.Stuck {
		ordered("stuck "+s.Node, s.At)
	}
}

// watched opens boards, and holds on each what is true of every moment.
type watched struct {
	t      *testing.T
	pool   randomCluster
	boards []*watchedBoard
}

func (w *watched) open(s *evidence.Snapshot) (placement.Board, error) {
	b, err := scheduler.New(s)
	if err != nil {
		return nil, err
	}
	out := &watchedBoard{Board: b, watched: w, closed: map[string]bool{}, pods: map[string]map[string]int{}}
	for _, n := range w.pool.names() {
		out.closed[n], out.pods[n] = false, map[string]int{}
	}
	for i, a := range w.pool.apps {
		for _, n := range a.on {
			out.pods[n][fmt.Sprintf("app%d", i)]++
		}
	}
	w.boards = append(w.boards, out)
	return out, nil
}

// watchedBoard follows the nodes of the pool and the pods on them.
type watchedBoard struct {
	placement.Board
	*watched
	closed map[string]bool           // by node
	pods   map[string]map[string]int // by node, pods of each workload
}

func (b *watchedBoard) PutNode(n *corev1.Node) {
	b.Board.PutNode(n)
	b.closed[n.Name] = n.Spec.Unschedulable
	if b.pods[n.Name] == nil {
		b.pods[n.Name] = map[string]int{}
	}
	b.look()
}

func (b *watchedBoard) RemoveNode(name string) {
	for app, n := range b.pods[name] {
		if n > 0 && b.kind(app) != "daemonset" && !b.pool.forces() {
			b.t.Errorf("node %s is removed with %d pods of %s", name, n, app)
		}
	}
	b.Board.RemoveNode(name)
	delete(b.closed, name)
	delete(b.pods, name)
	b.look()
}

func (b *watchedBoard) Place(p *evidence.Pod) placement.Answer {
	a := b.Board.Place(p)
	if a.Verdict != placement.Fits {
		return a
	}
	if b.closed[a.Node] {
		b.t.Errorf("pod %s is placed on node %s, which is cordoned", p.Key(), a.Node)
	}
	b.pods[a.Node][p.Labels["app"]]++
	return a
}

func (b *watchedBoard) Forget(p *evidence.Pod, node string) error {
	if pods := b.pods[node]; pods != nil {
		pods[p.Labels["app"]]--
	}
	return b.Board.Forget(p, node)
}

func (b *watchedBoard) kind(app string) string {
	var i int
	fmt.Sscanf(app, "app%d", &i)
	return b.pool.apps[i].kind
}

// look: the pool never has more nodes than its surge allows, nor fewer that take pods than max-unavailable does.
func (b *watchedBoard) look() {
	opt, all, open := b.pool.opt, 0, 0
	for name, closed := range b.closed {
		if strings.HasSuffix(name, "-more") { // tried out, to see whether it would help
			continue
		}
		if all++; !closed {
			open++
		}
	}
	surge, away := b.pool.nodes, b.pool.nodes
	if opt.Style != upgrade.BlueGreen {
		fmt.Sscan(opt.Surge, &surge)
	}
	if opt.Style == upgrade.AKS || opt.Style == upgrade.GKE || opt.Style == upgrade.Plain {
		fmt.Sscan(opt.MaxUnavailable, &away)
	}
	if all > b.pool.nodes+surge {
		b.t.Errorf("%d nodes, of a pool of %d with surge %d", all, b.pool.nodes, surge)
	}
	if open < b.pool.nodes-away {
		b.t.Errorf("%d nodes take pods, of a pool of %d of which %d may be away", open, b.pool.nodes, away)
	}
}

// end: when an upgrade comes to its end, every pod is on a node, or the plan says that it is lost or has no place.
func (w *watched) end(u *upgrade.Plan) {
	if len(u.Stuck) > 0 || len(w.boards) < 2 {
		return
	}
	slow := w.boards[1]
	for i, a := range w.pool.apps {
		if a.kind == "daemonset" {
			continue
		}
		name, there := fmt.Sprintf("app%d", i), 0
		for _, pods := range slow.pods {
			there += pods[name]
		}
		for _, l := range u.Left {
			if strings.HasSuffix(l.Workload, "/"+name) {
				there++
			}
		}
		for _, l := range u.Lost {
			if strings.HasPrefix(l, "shop/"+name+"-") {
				there++
			}
		}
		if there != len(a.on) {
			w.t.Errorf("%s had %d pods, and %d are accounted for", name, len(a.on), there)
		}
	}
}
