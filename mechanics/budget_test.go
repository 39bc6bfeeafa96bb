package mechanics

import (
	"testing"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/evidence"
)

func budget(allowed, healthy, desired, expected int32) *evidence.PDB {
	return &evidence.PDB{PodDisruptionBudget: &policyv1.PodDisruptionBudget{Status: policyv1.PodDisruptionBudgetStatus{
		DisruptionsAllowed: allowed, CurrentHealthy: healthy, DesiredHealthy: desired, ExpectedPods: expected}}}
}

func TestAnswer(t *testing.T) {
	always := policyv1.AlwaysAllow
	stale := budget(1, 3, 2, 3)
	stale.Generation = 2
	lenient := budget(0, 0, 2, 3)
	lenient.Spec.UnhealthyPodEvictionPolicy = &always
	for _, c := range []struct {
		name  string
		pdb   *evidence.PDB
		ready evidence.Fact
		want  Eviction
	}{
		{"one left", budget(1, 3, 2, 3), evidence.True, Counted},
		{"none left", budget(0, 2, 2, 3), evidence.True, Refused},
		{"not ready, and enough others are healthy", budget(0, 2, 2, 3), evidence.False, Free},
		{"not ready, and too few are", budget(0, 1, 2, 3), evidence.False, Refused},
		{"not ready, and none is needed", budget(0, 0, 0, 1), evidence.False, Refused},
		{"not ready, AlwaysAllow", lenient, evidence.False, Free},
		{"ready, AlwaysAllow", lenient, evidence.True, Refused},
		{"not known: as if ready", budget(0, 2, 2, 3), evidence.Unknown, Refused},
		{"not seen by its controller", stale, evidence.True, Refused},
	} {
		if got := Answer(c.pdb, c.ready); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestDesiredHealthy(t *testing.T) {
	most, least := func(v string) policyv1.PodDisruptionBudgetSpec {
		x := intstr.Parse(v)
		return policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &x}
	}, func(v string) policyv1.PodDisruptionBudgetSpec {
		x := intstr.Parse(v)
		return policyv1.PodDisruptionBudgetSpec{MinAvailable: &x}
	}
	for _, c := range []struct {
		spec policyv1.PodDisruptionBudgetSpec
		want int
	}{
		{most("1"), 6}, {most("30%"), 4}, {most("9"), 0}, {least("50%"), 4}, {least("2"), 2}, {policyv1.PodDisruptionBudgetSpec{}, 0},
	} {
		if got := DesiredHealthy(&evidence.PDB{PodDisruptionBudget: &policyv1.PodDisruptionBudget{Spec: c.spec}}, 7); got != c.want {
			t.Errorf("%v of 7: %d, want %d", c.spec, got, c.want)
		}
	}
}

// A kubectl table has no counts. The spec shows whether an eviction can ever be allowed.
func TestNeverAllowsWithoutCounts(t *testing.T) {
	for _, c := range []struct {
		most, least string
		want        bool
	}{
		{most: "0", want: true}, {most: "0%", want: true}, {least: "100%", want: true},
		{most: "1"}, {most: "1%"}, {least: "1"}, {least: "5000"}, {least: "99%"}, {},
	} {
		b := &evidence.PDB{PodDisruptionBudget: &policyv1.PodDisruptionBudget{}, Partial: true}
		for value, field := range map[string]**intstr.IntOrString{c.most: &b.Spec.MaxUnavailable, c.least: &b.Spec.MinAvailable} {
			if v := intstr.Parse(value); value != "" {
				*field = &v
			}
		}
		if got := NeverAllows(b); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Two pods are evicted one after the other, because the controller updates the status in between.
func TestBook(t *testing.T) {
	k := OpenLedger(budget(1, 3, 2, 3))
	if k.Evict(evidence.True) != Counted {
		t.Fatal("the first may not go")
	}
	k.Leaves(evidence.True)
	if k.Evict(evidence.True) != Refused {
		t.Error("the second goes at once")
	}
	if k.Recount(0); k.Evict(evidence.True) != Refused {
		t.Error("the second goes before another is ready")
	}
	if k.Recount(1); k.Evict(evidence.True) != Counted {
		t.Error("the second may not go when another is ready")
	}
}

func TestBooksOfBudgetsThatCannotBeComputed(t *testing.T) {
	b := budget(0, 3, 2, 3)
	b.Status.Conditions = []metav1.Condition{{Type: policyv1.DisruptionAllowedCondition, Reason: policyv1.SyncFailedReason, Message: "found no controllers"}}
	k := OpenLedger(b)
	if k.Recount(1); k.Status.DisruptionsAllowed != 0 || b.Status.CurrentHealthy != 3 {
		t.Errorf("it allows %d, and the original counts %d", k.Status.DisruptionsAllowed, b.Status.CurrentHealthy)
	}
}

func TestHealthy(t *testing.T) {
	b := budget(1, 3, 2, 3)
	b.Status.DisruptedPods = map[string]metav1.Time{"granted": {}}
	for want, pods := range map[bool][]evidence.Pod{
		true:  {{Name: "well", Ready: evidence.True}},
		false: {{Name: "granted", Ready: evidence.True}, {Name: "going", Ready: evidence.True, Deleted: time.Unix(1, 0)}, {Name: "ill", Ready: evidence.False}, {Name: "unseen"}},
	} {
		for i := range pods {
			if got := Healthy(b, &pods[i]); got != want {
				t.Errorf("%s: %v", pods[i].Name, got)
			}
		}
	}
}
