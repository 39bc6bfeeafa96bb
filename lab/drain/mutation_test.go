//go:build unix

package drain_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// changes makes the API server mutate new pods in the scene, and waits until it does.
func (s *scene) changes(name, patch string, changed func(*corev1.Pod) bool) {
	s.t.Helper()
	policies, bindings := client.AdmissionregistrationV1().MutatingAdmissionPolicies(), client.AdmissionregistrationV1().MutatingAdmissionPolicyBindings()
	_, err := policies.Create(s.t.Context(), &admissionv1.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: admissionv1.MutatingAdmissionPolicySpec{
		ReinvocationPolicy: admissionv1.NeverReinvocationPolicy,
		MatchConstraints: &admissionv1.MatchResources{
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: s.namespace}},
			ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: admissionv1.RuleWithOperations{
				Operations: []admissionv1.OperationType{admissionv1.Create}, Rule: admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}}}}},
		},
		Mutations: []admissionv1.Mutation{{PatchType: admissionv1.PatchTypeJSONPatch, JSONPatch: &admissionv1.JSONPatch{Expression: patch}}},
	}}, metav1.CreateOptions{})
	s.check(err)
	_, err = bindings.Create(s.t.Context(), &admissionv1.MutatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: name + "-all"},
		Spec: admissionv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name}}, metav1.CreateOptions{})
	s.check(err)
	s.t.Cleanup(func() {
		s.check(bindings.Delete(cleanUp(), name+"-all", metav1.DeleteOptions{}))
		s.check(policies.Delete(cleanUp(), name, metav1.DeleteOptions{}))
	})
	s.check(s.until("policy "+name, func() bool {
		p, err := client.CoreV1().Pods(s.namespace).Create(s.t.Context(), &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "try"}, Spec: podSpec(1)}, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err == nil && changed(p)
	}))
}

// placements are the results of a command for the replacements of the pods in the scene.
func (s *scene) placements(args ...string) (placement, all string) {
	s.t.Helper()
	out, _ := exec.Command(program, append(args, "--kubeconfig", plane.Kubeconfig, "-o", "json")...).Output()
	var d struct {
		Pods []struct {
			Namespace   string
			Placement   string                     // of a drain
			Replacement struct{ Placement string } // of a forecast
		}
	}
	if err := json.Unmarshal(out, &d); err != nil {
		s.t.Fatalf("%v: %s", err, out)
	}
	for _, p := range d.Pods {
		if p.Namespace == s.namespace {
			placement = p.Placement + p.Replacement.Placement
		}
	}
	return placement, string(out)
}

// A mutating policy changes new pods. The new pods fit if the policy sets their existing values. If the policy sends
// them elsewhere, plan and forecast report the placement as unknown and name the policy. Without this the answer would
// be wrong: the new pod fits on no node.
func TestPolicyChangesNewPods(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 1, 1) }, "w1")
	s.changes("same", "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'seen': 'yes'}}, JSONPatch{op: 'add', path: '/spec/nodeSelector/pool', value: 'main'}]",
		func(p *corev1.Pod) bool { return p.Annotations["seen"] == "yes" })
	commands := [][]string{{"drain", "w1", "--plan"}, {"predict", "w1", "--event", "power-off"}}
	for _, c := range commands {
		if placement, all := s.placements(c...); placement != "fits" {
			t.Errorf("%s: with a policy that changes nothing the placement is %q\n%s", c, placement, all)
		}
	}
	s.changes("elsewhere", "[JSONPatch{op: 'add', path: '/spec/nodeSelector/kind', value: 'spot'}]", func(p *corev1.Pod) bool { return p.Spec.NodeSelector["kind"] == "spot" })
	for _, c := range commands {
		if placement, all := s.placements(c...); placement != "unknown" || !strings.Contains(all, "MutatingAdmissionPolicy 'elsewhere' with binding 'elsewhere-all' changes /spec/nodeSelector/kind of a new pod") {
			t.Errorf("%s: the placement is %q\n%s", c, placement, all)
		}
	}
	if r, code := drain(t, "w1"); code != drained || len(s.on("w1")) > 0 {
		t.Errorf("exit code %d, on w1 %v\n%s", code, s.on("w1"), r)
	}
	s.check(s.until("a new pod that finds no node", func() bool {
		for _, p := range s.pods() {
			if p.DeletionTimestamp == nil && p.Spec.NodeName == "" && p.Spec.NodeSelector["kind"] == "spot" {
				return true
			}
		}
		return false
	}))
}
