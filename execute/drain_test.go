package execute

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// scene is a server with three applications on two nodes, and a third node that a user cordoned.
type scene struct {
	*server
	plan *drain.Plan
	held policyv1.PodDisruptionBudgetSpec
}

// newScene: one pod of web may be evicted at a time, held is suspended, and single is surged.
func newScene(t *testing.T) *scene {
	s := &scene{server: newServer(t)}
	for _, n := range []string{"w1", "w2", "w3"} {
		s.put("/api/v1/nodes/"+n, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n, Annotations: map[string]string{"own": "x"}}})
	}
	s.node("w3").Spec.Unschedulable = true
	for app, x := range map[string]struct{ replicas, min int32 }{"web": {4, 3}, "held": {2, 2}, "single": {1, 1}} {
		meta := metav1.ObjectMeta{Namespace: "ns", Name: app}
		min := intstr.FromInt32(x.min)
		s.put(appsPath+"/namespaces/ns/deployments/"+app, &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Replicas: &x.replicas}})
		s.put(policyPath+"/namespaces/ns/poddisruptionbudgets/"+app, &policyv1.PodDisruptionBudget{ObjectMeta: meta,
			Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: &min, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}}})
		for i := range x.replicas {
			p := s.pod(app, []string{"w1", "w2"}[i%2])
			if app == "single" {
				s.plan = &drain.Plan{Nodes: []string{"w1", "w2", "w3"}, Suspend: []string{"ns/held"}, Surges: []drain.Surge{{Namespace: "ns", Name: app, Pod: p.Name}}}
			}
		}
	}
	s.reconcile()
	s.held = *s.pdb("held").Spec.DeepCopy()
	return s
}

// check verifies the state after every finished drain, regardless of earlier ones.
func (s *scene) check(t *testing.T, what string) {
	t.Helper()
	for path, o := range s.objects {
		if p, ok := o.(*corev1.Pod); ok && p.Spec.NodeName != "other" {
			t.Errorf("%s: %s is left on %s", what, path, p.Spec.NodeName)
		}
	}
	if b := s.pdb("held"); !reflect.DeepEqual(b.Spec, s.held) || len(b.Annotations) > 0 {
		t.Errorf("%s: the suspended budget is %+v with %v", what, b.Spec, b.Annotations)
	}
	if d := s.deployment("single"); *d.Spec.Replicas != 1 || len(d.Annotations) > 0 {
		t.Errorf("%s: the surged workload has %d replicas and %v", what, *d.Spec.Replicas, d.Annotations)
	}
	if n := s.node("w3"); !n.Spec.Unschedulable || len(n.Annotations) != 1 {
		t.Errorf("%s: the foreign cordon was touched: %+v", what, n)
	}
	for uid, n := range s.evicted {
		if n > 1 {
			t.Errorf("%s: %s was evicted %d times", what, uid, n)
		}
	}
	if len(s.evicted) != 7 || len(s.exceeded) > 0 {
		t.Errorf("%s: %d pods evicted, budgets exceeded: %v", what, len(s.evicted), s.exceeded)
	}
}

// A drain finishes and restores its changes for any failure of a write, whether or not the server applied it.
func TestFaultsOfWrites(t *testing.T) {
	says := func(code int) func(http.ResponseWriter, func()) reply {
		return func(w http.ResponseWriter, _ func()) reply { fail(w, code, "spoiled"); return spoiled }
	}
	faults := map[string]func(w http.ResponseWriter, do func()) reply{
		"throttled": says(429), "broken": says(500), "conflict": says(409), "timeout": says(504), "unavailable": says(503),
		"not sent":      func(http.ResponseWriter, func()) reply { return lost },
		"done and lost": func(_ http.ResponseWriter, do func()) reply { do(); return lost },
	}
	for name, spoil := range faults {
		for seed := range uint64(20) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newScene(t), rand.New(rand.NewPCG(seed, 3))
				s.fault = func(_ int, w http.ResponseWriter, do func()) reply {
					if r.IntN(3) > 0 {
						return honest
					}
					return spoil(w, do)
				}
				result, err := Drain(t.Context(), s.plan, s.options(t))
				if err != nil || !result.Drained {
					t.Fatalf("%s, seed %d: %+v, %v", name, seed, result, err)
				}
				s.check(t, fmt.Sprintf("%s, seed %d", name, seed))
			})
		}
	}
}

// The next drain continues a drain that was killed after any of its writes.
func TestEveryPrefixIsResumed(t *testing.T) {
	writes := 0
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		if r, err := Drain(t.Context(), s.plan, s.options(t)); err != nil || !r.Drained {
			t.Fatalf("%+v, %v", r, err)
		}
		s.check(t, "undisturbed")
		writes = s.writes
	})
	if writes < 12 { // two cordons, a suspension, a surge and seven evictions, and two of them back
		t.Fatalf("only %d writes", writes)
	}
	for n := range writes + 1 {
		for _, heard := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				s.fault = func(i int, w http.ResponseWriter, do func()) reply {
					switch {
					case i < n || i == n && heard:
						return honest
					case i == n:
						do()
					}
					s.dead = true
					return lost
				}
				ctx, kill := context.WithTimeout(t.Context(), time.Minute)
				_, _ = Drain(ctx, s.plan, s.options(t)) // its requests no longer arrive
				kill()
				time.Sleep(2 * evidence.Abandoned) // its marks expire
				s.dead, s.fault = false, nil
				what := fmt.Sprintf("after %d writes, answer heard: %v", n, heard)
				r, err := Drain(t.Context(), s.plan, s.options(t))
				if err != nil || !r.Drained {
					t.Fatalf("%s: %+v, %v", what, r, err)
				}
				s.check(t, what)
			})
		}
	}
}

// A drain that gives up does not undo objects without its mark, or with the mark of another drain.
func TestUndoTouchesOwnMarksOnly(t *testing.T) {
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			s, r := newScene(t), rand.New(rand.NewPCG(seed, 5))
			time.Sleep(time.Hour)
			foreign := map[string]bool{}
			for _, name := range []string{"w1", "w2", "w3"} {
				n := s.node(name)
				switch r.IntN(3) {
				case 0:
					n.Spec.Unschedulable, foreign[name] = true, true
				case 1:
					m := evidence.Mark{By: "another", Run: "another", Host: "elsewhere", At: time.Now(), Renewed: time.Now()}
					n.Spec.Unschedulable, foreign[name] = true, true
					n.Annotations[evidence.MarkCordon] = m.String()
				default:
					n.Spec.Unschedulable = false
				}
			}
			before := map[string]*corev1.Node{}
			for name := range foreign {
				before[name] = s.node(name).DeepCopy()
			}
			opt := s.options(t)
			opt.Timeout, opt.UncordonOnAbort = time.Duration(1+r.IntN(4000))*time.Millisecond, true
			none := intstr.FromInt32(4)
			s.pdb("web").Spec.MinAvailable = &none // it allows no eviction, so that the drain gives up
			s.reconcile()
			result, err := Drain(t.Context(), s.plan, opt)
			if err != nil || result.Drained {
				t.Fatalf("seed %d: %+v, %v", seed, result, err)
			}
			for _, name := range []string{"w1", "w2", "w3"} {
				n := s.node(name)
				switch {
				case foreign[name] && (n.Spec.Unschedulable != before[name].Spec.Unschedulable || !reflect.DeepEqual(n.Annotations, before[name].Annotations)):
					t.Errorf("seed %d: the cordon of %s was touched: %v", seed, name, n.Annotations)
				case !foreign[name] && (n.Spec.Unschedulable || n.Annotations[evidence.MarkCordon] != ""):
					t.Errorf("seed %d: its own cordon of %s is left: %v", seed, name, n.Annotations)
				}
			}
			if b := s.pdb("held"); !reflect.DeepEqual(b.Spec, s.held) || len(b.Annotations) > 0 {
				t.Errorf("seed %d: the suspended budget is %+v with %v", seed, b.Spec, b.Annotations)
			}
			if d := s.deployment("single"); *d.Spec.Replicas != 1 || len(d.Annotations) > 0 {
				t.Errorf("seed %d: the surged workload has %d replicas and %v", seed, *d.Spec.Replicas, d.Annotations)
			}
		})
	}
}

// A pod whose eviction a policy denies waits with the message of the policy, logged once and retried with growing
// pauses. When the policy allows it, the drain finishes.
func TestDeniedByPolicy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.denies = "held"
		told := 0
		opt := s.options(t)
		opt.Log = func(e Entry) {
			if e.Do == "evict" && e.Result == Waits && e.Why == "ValidatingAdmissionPolicy 'keep' with binding 'keep-all' denied request: ask the team" {
				told++
			}
		}
		go func() {
			time.Sleep(3 * time.Minute)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.denies = ""
		}()
		begin := time.Now()
		r, err := Drain(t.Context(), s.plan, opt)
		if err != nil || !r.Drained {
			t.Fatalf("%+v, %v", r, err)
		}
		s.check(t, "denied for a while")
		if told != 2 {
			t.Errorf("the waits of 2 pods were told %d times", told)
		}
		if took := time.Since(begin); s.denied < 2*4 || s.denied > 2*15 || took > 3*time.Minute+slowRetry+5*time.Second {
			t.Errorf("asked %d times in %s", s.denied, took)
		}
	})
}

// If a policy denies the cordon, the drain ends before any eviction, with the name of the policy.
func TestCordonDenied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.fault = func(_ int, w http.ResponseWriter, _ func()) reply {
			fail(w, http.StatusUnprocessableEntity, `nodes "w1" is forbidden: ValidatingAdmissionPolicy 'open' with binding 'open-all' denied request: nodes stay open`)
			return spoiled
		}
		r, err := Drain(t.Context(), s.plan, s.options(t))
		if err == nil || r.Drained || r.Evicted > 0 || !strings.Contains(err.Error(), "cordon node w1") || !strings.Contains(err.Error(), "ValidatingAdmissionPolicy 'open' with binding 'open-all'") {
			t.Errorf("%+v, %v", r, err)
		}
		if s.writes != 1 {
			t.Errorf("asked %d times", s.writes)
		}
	})
}

// The dry run returns every request that admission denies, regardless of PodDisruptionBudgets, and changes nothing.
func TestAsk(t *testing.T) {
	for denies, want := range map[string]int{"": 0, "held": 2, "web": 4} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			s.denies = denies
			opt := s.options(t)
			var err error
			if opt.Writer, err = kube.NewWriter(s.config(), kube.Options{}, true); err != nil {
				t.Fatal(err)
			}
			before := s.version
			refused, err := Ask(t.Context(), s.plan, opt)
			if err != nil || len(refused) != want {
				t.Errorf("%q is denied: %+v, %v; want %d refusals", denies, refused, err, want)
			}
			for _, r := range refused {
				if !strings.HasPrefix(r.Object, "pod ns/"+denies+"-") || r.Says != "ValidatingAdmissionPolicy 'keep' with binding 'keep-all' denied request: ask the team" {
					t.Errorf("refused: %+v", r)
				}
			}
			if len(s.evicted) > 0 || s.version != before {
				t.Errorf("asking changed something: %v evicted, %d writes", s.evicted, s.version-before)
			}
			s.fault = func(int, http.ResponseWriter, func()) reply { return lost }
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if refused, err := Ask(ctx, s.plan, opt); err == nil {
				t.Errorf("nothing was answered, and it says %+v", refused)
			}
		})
	}
}
