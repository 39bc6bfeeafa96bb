//go:build unix

package drain_test

import (
	"fmt"
	"os"
	"reflect"
	"testing"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A drain is killed while a PodDisruptionBudget is suspended, its owner changes it, and drain --restore runs after
// that. The changes of the owner remain and are reported. The selector is restored unless the owner changed it.
func TestRestoreKeepsWhatOwnersChanged(t *testing.T) {
	patch := func(kind types.PatchType, text string) func(*scene) error {
		return func(s *scene) error {
			_, err := client.PolicyV1().PodDisruptionBudgets(s.namespace).Patch(t.Context(), "web", kind, []byte(text), metav1.PatchOptions{FieldManager: "kubectl-patch"})
			return err
		}
	}
	number := func(n int32) *intstr.IntOrString { v := intstr.FromInt32(n); return &v }
	other := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "other"}}
	for i, c := range []struct {
		name   string
		change func(*scene) error
		want   func(*policyv1.PodDisruptionBudgetSpec)
		says   string // "": nothing is restored
	}{
		{"maxUnavailable", patch(types.MergePatchType, `{"spec":{"maxUnavailable":1}}`),
			func(s *policyv1.PodDisruptionBudgetSpec) { s.MaxUnavailable = number(1) }, "its owner has changed maxUnavailable; this change is kept"},
		{"minAvailable in place of maxUnavailable", patch(types.MergePatchType, `{"spec":{"maxUnavailable":null,"minAvailable":2}}`),
			func(s *policyv1.PodDisruptionBudgetSpec) { s.MaxUnavailable, s.MinAvailable = nil, number(2) },
			"its owner has changed maxUnavailable, minAvailable; this change is kept"},
		{"selector replaced", patch(types.JSONPatchType, `[{"op":"replace","path":"/spec/selector","value":{"matchLabels":{"app":"other"}}}]`),
			func(s *policyv1.PodDisruptionBudgetSpec) { s.Selector = other }, "its owner has changed selector; this change is kept"},
		{"selector merged", patch(types.MergePatchType, `{"spec":{"selector":{"matchLabels":{"app":"other"}}}}`),
			func(s *policyv1.PodDisruptionBudgetSpec) { s.Selector = other }, "its owner has changed selector; this change is kept"},
		{"made again", func(s *scene) error {
			budgets := client.PolicyV1().PodDisruptionBudgets(s.namespace)
			if err := s.drop("web"); err != nil {
				return err
			}
			again := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: number(1), Selector: other}}
			_, err := budgets.Create(t.Context(), again, metav1.CreateOptions{})
			return err
		}, func(s *policyv1.PodDisruptionBudgetSpec) {
			*s = policyv1.PodDisruptionBudgetSpec{MinAvailable: number(1), Selector: other}
		}, ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := newScene(t)
			s.crowd(func() { s.deployment("web", 2, 2) }, "w1")
			s.budget("web", maxUnavailable(0), "web")
			want := s.pdb("web").Spec.DeepCopy()
			run := prepare(plane.Kubeconfig, "w1", "--suspend-pdb", s.namespace+"/web")
			run.cmd.Stdout = &fuse{left: 1, words: `"do":"suspend"`, with: os.Kill, of: run}
			s.check(run.cmd.Start())
			run.wait(t)
			if s.pdb("web").Annotations["nodetriage.dev/suspended"] == "" {
				t.Fatalf("%s: the drain was killed before it suspended the budget\n%s", c.name, run)
			}
			s.check(c.change(s))
			c.want(want)
			r, code := drain(t, "--restore")
			if code != 0 || r.told(t, "restore", "done", c.says) != (c.says != "") {
				t.Errorf("%s: exit code %d\n%s", c.name, code, r)
			}
			if b := s.pdb("web"); !reflect.DeepEqual(&b.Spec, want) || b.Annotations["nodetriage.dev/suspended"] != "" {
				t.Errorf("%s: the budget is %+v with %v, want %+v\n%s", c.name, b.Spec, b.Annotations, want, r)
			}
		})
	}
}

// A surged Deployment keeps its replicas if an autoscaler has set the same number since. The API server reports the
// manager of the field.
func TestRestoreKeepsWhatWasScaled(t *testing.T) {
	for _, scaled := range []bool{false, true} {
		t.Run(fmt.Sprint(scaled), func(t *testing.T) {
			s := newScene(t)
			s.crowd(func() { s.deployment("web", 1, 1) }, "w1")
			s.budget("web", minAvailable(1), "web")
			run := prepare(plane.Kubeconfig, "w1", "--surge")
			run.cmd.Stdout = &fuse{left: 1, words: `"do":"surge"`, with: os.Kill, of: run}
			s.check(run.cmd.Start())
			run.wait(t)
			deployments, want := client.AppsV1().Deployments(s.namespace), int32(1)
			if scaled {
				want = 2
				for _, n := range []string{"3", "2"} {
					_, err := deployments.Patch(t.Context(), "web", types.MergePatchType, []byte(`{"spec":{"replicas":`+n+`}}`), metav1.PatchOptions{FieldManager: "autoscaler"})
					s.check(err)
				}
			}
			r, code := drain(t, "--restore")
			d, err := deployments.Get(t.Context(), "web", metav1.GetOptions{})
			s.check(err)
			if code != 0 || *d.Spec.Replicas != want || d.Annotations["nodetriage.dev/surged"] != "" {
				t.Errorf("exit code %d, %d replicas, want %d, %v\n%s", code, *d.Spec.Replicas, want, d.Annotations, r)
			}
		})
	}
}
