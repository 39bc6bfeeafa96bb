package execute

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

type budget = policyv1.PodDisruptionBudget

func number(n int32) *intstr.IntOrString { v := intstr.FromInt32(n); return &v }

func pairsOf(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

var always = policyv1.AlwaysAllow

// ownersChanges are changes of owners to a suspended PodDisruptionBudget, and the expected spec after the restore.
var ownersChanges = []struct {
	name   string
	change func(*budget)
	want   func(*policyv1.PodDisruptionBudgetSpec) // changes the spec from before the suspension
	says   string
}{
	{"nothing", func(*budget) {}, func(*policyv1.PodDisruptionBudgetSpec) {}, ""},
	{"minAvailable", func(b *budget) { b.Spec.MinAvailable = number(0) },
		func(s *policyv1.PodDisruptionBudgetSpec) { s.MinAvailable = number(0) }, "its owner has changed minAvailable; this change is kept"},
	{"maxUnavailable in place of minAvailable", func(b *budget) { b.Spec.MinAvailable, b.Spec.MaxUnavailable = nil, number(0) },
		func(s *policyv1.PodDisruptionBudgetSpec) { s.MinAvailable, s.MaxUnavailable = nil, number(0) },
		"its owner has changed maxUnavailable, minAvailable; this change is kept"},
	{"unhealthyPodEvictionPolicy", func(b *budget) { b.Spec.UnhealthyPodEvictionPolicy = &always },
		func(s *policyv1.PodDisruptionBudgetSpec) { s.UnhealthyPodEvictionPolicy = &always }, "its owner has changed unhealthyPodEvictionPolicy; this change is kept"},
	{"another selector", func(b *budget) { b.Spec.Selector = &metav1.LabelSelector{MatchLabels: pairsOf("app", "new")} },
		func(s *policyv1.PodDisruptionBudgetSpec) {
			s.Selector = &metav1.LabelSelector{MatchLabels: pairsOf("app", "new")}
		},
		"its owner has changed selector; this change is kept"},
	{"a narrower selector", func(b *budget) {
		b.Spec.Selector = &metav1.LabelSelector{MatchLabels: pairsOf("app", "held", "tier", "front")}
	},
		func(s *policyv1.PodDisruptionBudgetSpec) { s.Selector.MatchLabels["tier"] = "front" }, "its owner has changed selector; this change is kept"},
	{"no selector", func(b *budget) { b.Spec.Selector = nil },
		func(s *policyv1.PodDisruptionBudgetSpec) { s.Selector = nil }, "its owner has changed selector; this change is kept"},
	{"a label merged into the selector", func(b *budget) { b.Spec.Selector.MatchLabels["app"] = "new" },
		func(s *policyv1.PodDisruptionBudgetSpec) { s.Selector.MatchLabels["app"] = "new" }, "its owner has changed selector; this change is kept"},
	{"an expression merged into the selector", func(b *budget) {
		b.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}
	}, func(s *policyv1.PodDisruptionBudgetSpec) {
		s.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}
	}, "its owner has changed selector; this change is kept"},
	{"selector and numbers", func(b *budget) {
		b.Spec = policyv1.PodDisruptionBudgetSpec{MaxUnavailable: number(3), Selector: &metav1.LabelSelector{MatchLabels: pairsOf("app", "new")}}
	}, func(s *policyv1.PodDisruptionBudgetSpec) {
		*s = policyv1.PodDisruptionBudgetSpec{MaxUnavailable: number(3), Selector: &metav1.LabelSelector{MatchLabels: pairsOf("app", "new")}}
	}, "its owner has changed maxUnavailable, minAvailable, selector; this change is kept"},
}

// killed suspends held and surges single like a killed drain, and lets its marks expire.
func killed(t *testing.T, s *scene) {
	t.Helper()
	d := newDrainer(s.plan, s.options(t))
	if err := d.suspend(t.Context(), "ns/held"); err != nil {
		t.Fatal(err)
	}
	if err := d.grow(t.Context(), &surge{Surge: s.plan.Surges[0]}); err != nil {
		t.Fatal(err)
	}
	if err := d.cordon(t.Context(), "w1"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * evidence.Abandoned)
}

// restored returns the log of Restore for an object.
func restored(t *testing.T, s *scene, name string) string {
	t.Helper()
	var why []string
	opt := s.options(t)
	opt.Log = func(e Entry) {
		if e.Name == name {
			why = append(why, strings.TrimSpace(fmt.Sprintf("%s %s", e.Result, e.Why)))
		}
	}
	if err := Restore(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	return strings.Join(why, "\n")
}

// Changes of the owner during the suspension stay, field by field. Fields that are as written by the drain get their
// previous value. That also holds for a change between the read and the write of the restore.
func TestRestoreKeepsWhatOwnersChanged(t *testing.T) {
	for _, c := range ownersChanges {
		for _, late := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				what := fmt.Sprintf("%s, between read and write: %v", c.name, late)
				s := newScene(t)
				killed(t, s)
				change := func() {
					b := s.pdb("held").DeepCopy()
					c.change(b)
					s.put(policyPath+"/namespaces/ns/poddisruptionbudgets/held", b)
				}
				if late {
					s.fault = func(n int, _ http.ResponseWriter, _ func()) reply {
						s.fault = nil
						change()
						return honest
					}
				} else {
					change()
				}
				said := restored(t, s, "ns/held")
				want := s.held.DeepCopy()
				c.want(want)
				if b := s.pdb("held"); !reflect.DeepEqual(&b.Spec, want) || len(b.Annotations) > 0 {
					t.Errorf("%s: it is %+v with %v, want %+v", what, b.Spec, b.Annotations, want)
				}
				if want := strings.TrimSpace("done " + c.says); said != want {
					t.Errorf("%s: said %q, want %q", what, said, want)
				}
			})
		}
	}
}

// A recreated PodDisruptionBudget is another object: without a mark it stays unchanged, and a copy of the suspended one
// is restored.
func TestRestoreOfABudgetMadeAgain(t *testing.T) {
	for _, copied := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			killed(t, s)
			again := s.pdb("held").DeepCopy()
			again.UID = "another"
			if !copied {
				again.Annotations, again.Spec = nil, policyv1.PodDisruptionBudgetSpec{MaxUnavailable: number(1), Selector: &metav1.LabelSelector{MatchLabels: pairsOf("app", "held")}}
			}
			s.put(policyPath+"/namespaces/ns/poddisruptionbudgets/held", again)
			want := again.Spec.DeepCopy()
			if copied {
				want = &s.held
			}
			restored(t, s, "ns/held")
			if b := s.pdb("held"); !reflect.DeepEqual(&b.Spec, want) || len(b.Annotations) > 0 {
				t.Errorf("copied %v: it is %+v with %v", copied, b.Spec, b.Annotations)
			}
		})
	}
}

// A suspended PodDisruptionBudget without a mark is reported and stays unchanged because its original spec is unknown.
// A drain does not treat the suspension as its selector.
func TestLostMark(t *testing.T) {
	for name, mark := range map[string]string{"none": "", "damaged": "{", "of something else": `{"by":"x","run":"r","before":1}`,
		"of a suspended one": `{"by":"x","run":"r","before":{"selector":{"matchLabels":{"nodetriage.dev/suspended":"true"}}}}`} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			killed(t, s)
			b := s.pdb("held").DeepCopy()
			b.Annotations = map[string]string{evidence.MarkSuspend: mark}
			s.put(policyPath+"/namespaces/ns/poddisruptionbudgets/held", b)
			said := ""
			opt := s.options(t)
			opt.Log = func(e Entry) { said += e.Why }
			if err := Restore(t.Context(), opt); err != nil {
				said += err.Error()
			}
			if !strings.Contains(said, "apply") || !strings.Contains(said, "from its source") {
				t.Errorf("%s: said %q", name, said)
			}
			if err := newMarker(opt).suspend(t.Context(), "ns/held"); err == nil {
				t.Errorf("%s: suspended a suspended budget", name)
			}
			if now := s.pdb("held"); !reflect.DeepEqual(now.Spec, b.Spec) || now.Annotations[evidence.MarkSuspend] != mark {
				t.Errorf("%s: it is %+v with %v", name, now.Spec, now.Annotations)
			}
		})
	}
}

// managed returns managed fields of a write to a field.
func managed(by, fields string) []metav1.ManagedFieldsEntry {
	return []metav1.ManagedFieldsEntry{{Manager: by, Operation: metav1.ManagedFieldsOperationUpdate, FieldsV1: metav1.NewFieldsV1(fields)}}
}

// The extra replica is removed only if the drain set the number, not if another user set the same one.
func TestShrinkKeepsWhatOthersScaled(t *testing.T) {
	for _, c := range []struct {
		name     string
		replicas int32
		by       string
		want     int32
	}{
		{"nobody", 2, "", 1}, {"the drain itself", 2, kube.FieldManager, 1}, {"not known any more", 2, "ancient-changes", 1},
		{"an autoscaler, the same", 2, "kube-controller-manager", 2}, {"a person, more", 3, "kubectl", 3}, {"a person, none", 0, "", 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			killed(t, s)
			d := s.deployment("single").DeepCopy()
			d.Spec.Replicas = &c.replicas
			if c.by != "" {
				d.ManagedFields = managed(c.by, `{"f:spec":{"f:replicas":{}}}`)
			}
			s.put(appsPath+"/namespaces/ns/deployments/single", d)
			said := restored(t, s, "ns/single")
			if d := s.deployment("single"); *d.Spec.Replicas != c.want || len(d.Annotations) > 0 {
				t.Errorf("%s: %d replicas and %v, want %d", c.name, *d.Spec.Replicas, d.Annotations, c.want)
			}
			if kept := strings.Contains(said, "this is kept"); kept != (c.want != 1) {
				t.Errorf("%s: said %q", c.name, said)
			}
		})
	}
}

// A drain that gives up uncordons its nodes, except a node that another user cordoned again.
func TestEndOfACordon(t *testing.T) {
	for _, c := range []struct {
		name       string
		change     func(*corev1.Node)
		open       bool
		closed     bool
		state, why string
	}{
		{"opened", func(*corev1.Node) {}, true, false, "", ""},
		{"stays", func(*corev1.Node) {}, false, true, evidence.Ended, ""},
		{"uncordoned by somebody", func(n *corev1.Node) { n.Spec.Unschedulable = false }, true, false, "", ""},
		{"cordoned again by somebody", func(n *corev1.Node) {
			n.ManagedFields = managed("kubectl-cordon", `{"f:spec":{"f:unschedulable":{}}}`)
		}, true, true, "", "cordoned again by someone else; that cordon is kept"},
		{"cordoned again by somebody, by the taint alone", func(n *corev1.Node) {
			at := metav1.NewTime(time.Now().Add(time.Hour))
			n.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, TimeAdded: &at}}
		}, false, true, "", "cordoned again by someone else; that cordon is kept"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			said := ""
			opt := s.options(t)
			opt.Log = func(e Entry) { said = e.Why }
			d := newDrainer(s.plan, opt)
			if err := d.cordon(t.Context(), "w1"); err != nil {
				t.Fatal(err)
			}
			if m := evidence.ReadMark(s.node("w1").Annotations, evidence.MarkCordon); m == nil || m.State != evidence.Draining {
				t.Errorf("%s: the mark of a drain that runs is %+v", c.name, m)
			}
			n := s.node("w1").DeepCopy()
			c.change(n)
			s.put("/api/v1/nodes/w1", n)
			if err := d.endCordon(t.Context(), "w1", c.open); err != nil {
				t.Fatal(err)
			}
			n = s.node("w1")
			state := ""
			if m := evidence.ReadMark(n.Annotations, evidence.MarkCordon); m != nil {
				state = m.State
			}
			if n.Spec.Unschedulable != c.closed || state != c.state || said != c.why || n.Annotations["own"] != "x" {
				t.Errorf("%s: unschedulable %v, %v, said %q", c.name, n.Spec.Unschedulable, n.Annotations, said)
			}
		})
	}
}

// The field manager of the Writer is the one in package evidence.
func TestFieldManager(t *testing.T) {
	if kube.FieldManager != evidence.FieldManager {
		t.Errorf("%q and %q", kube.FieldManager, evidence.FieldManager)
	}
}

// A killed drain leaves the state Draining behind; a finished one Ended, drained or not.
func TestDrainSaysThatItEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		if r, err := Drain(context.Background(), s.plan, s.options(t)); err != nil || !r.Drained {
			t.Fatalf("%+v, %v", r, err)
		}
		for _, name := range []string{"w1", "w2"} {
			if m := evidence.ReadMark(s.node(name).Annotations, evidence.MarkCordon); m == nil || m.State != evidence.Ended {
				t.Errorf("%s: %+v", name, m)
			}
		}
	})
}
