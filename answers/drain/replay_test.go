package drain_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
)

// server is a model of the eviction API and of the disruption controller, written independently of the plan. An eviction is
// admitted or rejected by the rules, and replacements become ready when the test says so.
type server struct {
	t       *testing.T
	budgets []*modelBudget
	pods    map[string]*modelPod
}

type modelBudget struct {
	app         string
	min, max    *intstr.IntOrString
	alwaysAllow bool
	expected    int
	allowed     int
}

type modelPod struct {
	name, app, node string
	ready           bool
}

func (s *server) of(app string) []*modelBudget {
	var out []*modelBudget
	for _, b := range s.budgets {
		if b.app == app {
			out = append(out, b)
		}
	}
	return out
}

func (b *modelBudget) desired() int {
	part := func(v *intstr.IntOrString) int {
		if v.Type == intstr.Int {
			return v.IntValue()
		}
		var percent int
		fmt.Sscanf(v.StrVal, "%d%%", &percent)
		return (b.expected*percent + 99) / 100
	}
	if b.max != nil {
		return max(0, b.expected-part(b.max))
	}
	return part(b.min)
}

func (s *server) healthy(app string) (n int) {
	for _, p := range s.pods {
		if p.app == app && p.ready {
			n++
		}
	}
	return n
}

// reconcile is the disruption controller.
func (s *server) reconcile() {
	for _, b := range s.budgets {
		b.allowed = max(0, s.healthy(b.app)-b.desired())
	}
}

// evict is the eviction API without time: true means 201.
func (s *server) evict(name string) bool {
	p := s.pods[name]
	budgets := s.of(p.app)
	if len(budgets) > 1 {
		return false
	}
	if len(budgets) == 1 {
		b := budgets[0]
		free := !p.ready && (b.alwaysAllow || s.healthy(p.app) >= b.desired() && b.desired() > 0)
		if !free {
			if b.allowed == 0 {
				return false
			}
			b.allowed--
		}
	}
	delete(s.pods, name)
	return true
}

func (s *server) exceeded() string {
	for _, b := range s.budgets {
		if s.healthy(b.app) < b.desired() {
			return fmt.Sprintf("%s: %d healthy, %d needed", b.app, s.healthy(b.app), b.desired())
		}
	}
	return ""
}

// randomServer has a few applications on a few nodes, some of their pods not ready, most under a budget.
func randomServer(t *testing.T, r *rand.Rand) (*server, []string) {
	s := &server{t: t, pods: map[string]*modelPod{}}
	nodes := []string{"n0", "n1", "n2", "n3"}
	for a := range 1 + r.IntN(4) {
		app := fmt.Sprintf("app%d", a)
		replicas := 1 + r.IntN(6)
		for i := range replicas {
			p := &modelPod{fmt.Sprintf("%s-%d", app, i), app, nodes[r.IntN(len(nodes))], r.IntN(5) > 0}
			s.pods[p.name] = p
		}
		for range []int{0, 1, 1, 1, 1, 1, 1, 1, 2}[r.IntN(9)] {
			b := &modelBudget{app: app, alwaysAllow: r.IntN(3) == 0, expected: replicas}
			v := intstr.FromInt32(int32(r.IntN(replicas + 2)))
			if r.IntN(2) == 0 {
				v = intstr.FromString(fmt.Sprintf("%d%%", 10*r.IntN(11)))
			}
			if r.IntN(2) == 0 {
				b.min = &v
			} else {
				b.max = &v
			}
			s.budgets = append(s.budgets, b)
		}
	}
	s.reconcile()
	return s, nodes[:1+r.IntN(3)]
}

// snapshot returns the state of the model as evidence.
func (s *server) snapshot(nodes ...string) *evidence.Snapshot {
	d := evidence.Data{Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Complete, evidence.Pods: evidence.Complete, evidence.PDBs: evidence.Complete}}
	for _, n := range nodes {
		d.Nodes = append(d.Nodes, &evidence.Node{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n}, Status: corev1.NodeStatus{
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		}}})
	}
	for _, p := range s.pods {
		d.Pods = append(d.Pods, &evidence.Pod{Namespace: "ns", Name: p.name, Node: p.node, Phase: corev1.PodRunning, Ready: evidence.Known(p.ready),
			Labels: map[string]string{"app": p.app}, Owner: evidence.Owner{Kind: "ReplicaSet", Name: p.app}, Spec: &corev1.PodSpec{}})
	}
	for i, b := range s.budgets {
		policy := policyv1.IfHealthyBudget
		if b.alwaysAllow {
			policy = policyv1.AlwaysAllow
		}
		d.PDBs = append(d.PDBs, &evidence.PDB{PodDisruptionBudget: &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: fmt.Sprintf("%s-%d", b.app, i)},
			Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: b.min, MaxUnavailable: b.max, UnhealthyPodEvictionPolicy: &policy,
				Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": b.app}}},
			Status: policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: int32(b.allowed), CurrentHealthy: int32(s.healthy(b.app)),
				DesiredHealthy: int32(b.desired()), ExpectedPods: int32(b.expected)},
		}})
	}
	return evidence.New(d)
}

// For all PodDisruptionBudgets: if all replacements become ready, each pod that a plan evicts is admitted in its wave, in any
// order within the wave. If those of unhealthy pods stay unhealthy, that still holds for a clear plan. No budget is ever
// exceeded. In both futures a pod that the plan calls blocked is rejected at the end.
func TestPlansCanBeReplayed(t *testing.T) {
	for _, heal := range []bool{true, false} {
		t.Run(fmt.Sprintf("heal=%v", heal), func(t *testing.T) { replayAll(t, heal) })
	}
}

func replayAll(t *testing.T, heal bool) {
	seen := map[plan.Verdict]int{}
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 1))
		s, closed := randomServer(t, r)
		d, err := drain.New(s.snapshot("n0", "n1", "n2", "n3"), drain.Options{Nodes: closed})
		if err != nil {
			t.Fatal(err)
		}
		seen[d.Verdict]++
		if !replay(t, s, d, r, heal) {
			t.Fatalf("seed %d", seed)
		}
	}
	for _, v := range []plan.Verdict{plan.Clear, plan.Slow, plan.Blocked} {
		if seen[v] < 100 {
			t.Errorf("only %d of the plans are %s", seen[v], v)
		}
	}
}

func replay(t *testing.T, s *server, d *drain.Plan, r *rand.Rand, heal bool) bool {
	short := s.exceeded() // more pods may be unhealthy from the start than a budget allows
	for wave := 1; ; wave++ {
		var now []drain.Pod
		for _, p := range d.Pods {
			if p.Action == drain.Evict && p.Wave == wave {
				now = append(now, p)
			}
		}
		if len(now) == 0 {
			break
		}
		r.Shuffle(len(now), func(i, j int) { now[i], now[j] = now[j], now[i] })
		var gone []modelPod
		for _, p := range now {
			pod := *s.pods[p.Name]
			if !s.evict(p.Name) {
				if !heal && d.Verdict != plan.Clear {
					continue
				}
				t.Errorf("wave %d: %s is refused", wave, p.Name)
				return false
			}
			gone = append(gone, pod)
		}
		if after := s.exceeded(); after != "" && short == "" {
			t.Errorf("wave %d exceeds a budget: %s", wave, after)
			return false
		}
		for _, p := range gone {
			s.pods[p.name+"'"] = &modelPod{p.name + "'", p.app, "elsewhere", p.ready || heal}
		}
		s.reconcile()
	}
	for _, p := range d.Pods {
		if p.Action == drain.Block && s.evict(p.Name) {
			t.Errorf("%s goes although the plan calls it blocked: %+v", p.Name, p.Blockers)
			return false
		}
		if p.Action == drain.Block && (len(p.Blockers) == 0 || slices.ContainsFunc(p.Blockers, func(b drain.Blocker) bool { return len(b.Unblock) > 0 && b.Harm == "" })) {
			t.Errorf("%s is blocked without a reason, or a way around has no word about its harm: %+v", p.Name, p.Blockers)
			return false
		}
	}
	return true
}

// A suspended budget does not block, and a plan for a missing node or budget is an error.
func TestUnknownNames(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	s, _ := randomServer(t, r)
	snapshot := s.snapshot("n0")
	if _, err := drain.New(snapshot, drain.Options{Nodes: []string{"n9"}}); err == nil {
		t.Error("a node that is not there can be drained")
	}
	if _, err := drain.New(snapshot, drain.Options{Nodes: []string{"n0"}, Suspend: []string{"no-such"}}); err == nil {
		t.Error("a budget that is not there can be suspended")
	}
}
