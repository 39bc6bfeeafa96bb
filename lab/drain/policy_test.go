//go:build unix

package drain_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// policy makes the API server deny requests for which the expression is false, and waits until it does; check verifies
// it.
func (s *scene) policy(name, resource string, operation admissionv1.OperationType, expression string, check func() error) {
	s.t.Helper()
	policies, bindings := client.AdmissionregistrationV1().ValidatingAdmissionPolicies(), client.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings()
	_, err := policies.Create(s.t.Context(), &admissionv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: admissionv1.ValidatingAdmissionPolicySpec{
		MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: admissionv1.RuleWithOperations{
			Operations: []admissionv1.OperationType{operation}, Rule: admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{resource}}}}}},
		Validations: []admissionv1.Validation{{Expression: expression, Message: "ask the team first"}},
	}}, metav1.CreateOptions{})
	s.check(err)
	_, err = bindings.Create(s.t.Context(), &admissionv1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: name + "-all"},
		Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: name, ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny}}}, metav1.CreateOptions{})
	s.check(err)
	s.t.Cleanup(func() {
		s.check(bindings.Delete(cleanUp(), name+"-all", metav1.DeleteOptions{}))
		s.check(policies.Delete(cleanUp(), name, metav1.DeleteOptions{}))
		s.check(s.until("the end of policy "+name, func() bool { return check() == nil }))
	})
	s.check(s.until("policy "+name, func() bool {
		err := check()
		return err != nil && strings.Contains(err.Error(), "ValidatingAdmissionPolicy '"+name+"' with binding '"+name+"-all' denied request: ask the team first")
	}))
}

// tryEvict requests an eviction as a dry run.
func (s *scene) tryEvict(pod string) error {
	return client.PolicyV1().Evictions(s.namespace).Evict(cleanUp(), &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: pod},
		DeleteOptions: &metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}})
}

// planned returns the plan of a drain of w1, by pod.
func planned(t *testing.T) (verdict string, blockers map[string]string) {
	t.Helper()
	out, _ := exec.Command(program, "drain", "w1", "--plan", "--kubeconfig", plane.Kubeconfig, "-o", "json").Output()
	var d struct {
		Verdict string
		Pods    []struct {
			Name, Action string
			Blockers     []struct{ Kind, Name, Detail string }
		}
	}
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	blockers = map[string]string{}
	for _, p := range d.Pods {
		for _, b := range p.Blockers {
			blockers[p.Name] += p.Action + " " + b.Kind + " " + b.Name + " " + b.Detail + "\n"
		}
	}
	return d.Verdict, blockers
}

// A policy denies the eviction of one pod: the plan reports it before any request. The drain waits only for that pod
// and names the policy; why and check name it too.
func TestPolicyRefusesEviction(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 2, 1) }, "w1")
	pods := s.on("w1")
	denied := "ValidatingAdmissionPolicy 'keep' with binding 'keep-all' denied request: ask the team first"
	s.policy("keep", "pods/eviction", admissionv1.Create, "object.metadata.name != '"+pods[0]+"'", func() error { return s.tryEvict(pods[0]) })
	verdict, blockers := planned(t)
	if verdict != "blocked" || len(blockers) != 1 || !strings.HasPrefix(blockers[pods[0]], "block policy keep ") || !strings.Contains(blockers[pods[0]], denied) {
		t.Errorf("the plan is %s: %v", verdict, blockers)
	}
	r, code := drain(t, "w1", "--anyway", "--timeout", "5s")
	if left := s.on("w1"); code != leftOver || len(left) != 1 || left[0] != pods[0] {
		t.Errorf("exit code %d, on w1 %v, not only %s\n%s", code, s.on("w1"), pods[0], r)
	}
	if !r.told(t, "evict", "waits", denied) {
		t.Errorf("the drain does not say who refuses:\n%s", r)
	}
	a := s.why("pod/" + pods[0])
	if len(a.Pods) != 1 || !strings.Contains(a.Pods[0].Summary, "an eviction of the pod is refused") {
		t.Errorf("why says %+v", a)
	}
	out, _ := exec.Command(program, "check", "--kubeconfig", plane.Kubeconfig, "-o", "json").Output()
	if !strings.Contains(string(out), "policy-refuses") || !strings.Contains(string(out), denied) {
		t.Errorf("check does not name the policy:\n%s", out)
	}
}

// A policy that depends on the user is neither clear nor blocked before the first request.
func TestPolicyAsksWho(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 1, 1) }, "w1")
	pod := s.on("w1")[0]
	s.policy("who", "pods/eviction", admissionv1.Create, "object.metadata.namespace != '"+s.namespace+"' || request.userInfo.username == 'ops'", func() error { return s.tryEvict(pod) })
	if verdict, blockers := planned(t); verdict != "slow" || !strings.Contains(blockers[pod], "evict policy who") || !strings.Contains(blockers[pod], "the requester (request.userInfo)") {
		t.Errorf("the plan is %s: %v", verdict, blockers)
	}
}

// If a node cannot be cordoned, the plan is blocked, and the drain ends before it evicts a pod.
func TestPolicyRefusesCordon(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 1, 1) }, "w1")
	s.policy("open", "nodes", admissionv1.Update, "object.metadata.name != 'w1' || !has(object.spec.unschedulable)", func() error {
		_, err := client.CoreV1().Nodes().Patch(cleanUp(), "w1", "application/merge-patch+json", []byte(`{"spec":{"unschedulable":true}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
		return err
	})
	if verdict, blockers := planned(t); verdict != "blocked" || !strings.Contains(blockers[s.on("w1")[0]], "the node cannot be cordoned") {
		t.Errorf("the plan is %s: %v", verdict, blockers)
	}
	r, code := drain(t, "w1", "--anyway")
	if code == drained || len(s.on("w1")) != 1 || !strings.Contains(r.String(), "ValidatingAdmissionPolicy 'open' with binding 'open-all' denied request") {
		t.Errorf("exit code %d, on w1 %v\n%s", code, s.on("w1"), r)
	}
}

// The eviction is allowed, but the kubelet may not delete the pod: the pod stays Terminating, as in the plan, and why
// names the policy.
func TestPolicyRefusesTheLastDelete(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 1, 1) }, "w1")
	pod := s.on("w1")[0]
	s.policy("ends", "pods", admissionv1.Delete, "oldObject.metadata.namespace != '"+s.namespace+"'", func() error {
		return client.CoreV1().Pods(s.namespace).Delete(cleanUp(), pod, metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
	})
	if verdict, blockers := planned(t); verdict != "blocked" || !strings.Contains(blockers[pod], "it would stay Terminating") {
		t.Errorf("the plan is %s: %v", verdict, blockers)
	}
	r, code := drain(t, "w1", "--anyway", "--timeout", "5s")
	if left := s.on("w1"); code != leftOver || len(left) != 1 || left[0] != pod {
		t.Errorf("exit code %d, on w1 %v\n%s", code, left, r)
	}
	a := s.why("pod/" + pod)
	if len(a.Pods) != 1 || a.Pods[0].State != "terminating" || a.Pods[0].WaitsFor != "policy" || !strings.Contains(a.Pods[0].Summary, "ValidatingAdmissionPolicy 'ends' with binding 'ends-all'") {
		t.Errorf("why says %+v", a)
	}
}

// A user who may not read policies can still drain: a dry run reports the denied requests, and only then nothing is
// changed.
func TestPoliciesUnread(t *testing.T) {
	var less []rbacv1.PolicyRule
	for _, rule := range roles(t) {
		rule.Resources = slices.DeleteFunc(rule.Resources, func(x string) bool { return strings.HasPrefix(x, "validatingadmissionpolic") })
		less = append(less, rule)
	}
	kubeconfig, err := plane.User(t.Context(), "without-policies", less...)
	if err != nil {
		t.Fatal(err)
	}
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 2, 1) }, "w1")
	pods := s.on("w1")
	t.Run("refused", func(t *testing.T) {
		s := &scene{t: t, namespace: s.namespace}
		s.policy("unread", "pods/eviction", admissionv1.Create, "object.metadata.name != '"+pods[0]+"'", func() error { return s.tryEvict(pods[0]) })
		r := start(t, kubeconfig, "w1", "--timeout", "20s")
		if code := r.wait(t); code != leftOver || len(s.on("w1")) != len(pods) ||
			!strings.Contains(r.String(), "pod "+s.namespace+"/"+pods[0]+": ValidatingAdmissionPolicy 'unread' with binding 'unread-all' denied request: ask the team first") {
			t.Errorf("exit code %d, on w1 %v\n%s", code, s.on("w1"), r)
		}
		if n, err := client.CoreV1().Nodes().Get(t.Context(), "w1", metav1.GetOptions{}); err != nil || n.Spec.Unschedulable {
			t.Errorf("asking closed the node: %v, %v", n.Spec, err)
		}
	})
	r := start(t, kubeconfig, "w1", "--timeout", "20s")
	if code := r.wait(t); code != drained || len(s.on("w1")) > 0 || !strings.Contains(r.stderr.String(), "they allow all requests (server-side dry run)") {
		t.Errorf("exit code %d, on w1 %v\n%s", code, s.on("w1"), r)
	}
}
