//go:build unix

package drain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
)

// answer contains the checked fields of why.
type answer struct {
	Verdict, Summary string
	Because          []struct{ Text string }
	Pods             []struct {
		Name, State, Summary, WaitsFor string
		Scheduling                     *struct{ Message, Reported string }
		Do                             []struct {
			What  string
			Nodes []string
		}
	}
	Missing []struct {
		Due                 bool
		Name, Node, Because string
	}
}

func (s *scene) why(subject string) answer {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), program, "why", subject, "-n", s.namespace, "--kubeconfig", plane.Kubeconfig, "-o", "json")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		s.t.Fatalf("why %s: %v\n%s%s", subject, err, &out, &stderr)
	}
	return a
}

// make creates a pod, modified by f.
func (s *scene) make(name string, f func(*corev1.Pod)) {
	s.t.Helper()
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: podSpec(1)}
	f(p)
	_, err := client.CoreV1().Pods(s.namespace).Create(s.t.Context(), p, metav1.CreateOptions{})
	s.check(err)
}

// Each state of a pod with a problem, on a real control plane.
func TestWhy(t *testing.T) {
	s := newScene(t)
	pods := client.CoreV1().Pods(s.namespace)
	is := func(subject, state, waits, says string) answer {
		t.Helper()
		a := s.why(subject)
		if len(a.Pods) != 1 || a.Pods[0].State != state || a.Pods[0].WaitsFor != waits || !strings.Contains(a.Pods[0].Summary, says) {
			t.Errorf("%s: want %s, waiting for %s, %q; got %+v", subject, state, waits, says, a)
		}
		return a
	}

	s.make("big", func(p *corev1.Pod) {
		p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("9")}
	})
	s.make("picky", func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"pool": "mian"} })
	s.make("gated", func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/wait"}} })
	s.make("slow", func(p *corev1.Pod) { p.Labels = map[string]string{"start": "never"} })
	s.make("kept", func(p *corev1.Pod) { p.Finalizers = []string{"example.com/keep"} })
	s.make("hooked", func(p *corev1.Pod) {
		long := int64(300)
		p.Spec.TerminationGracePeriodSeconds = &long
		p.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: 200}}}
	})
	s.check(s.until("the pods", func() bool {
		n := 0
		for _, p := range s.pods() {
			if homeless(&p) || serves(&p) || p.Name == "slow" && p.Spec.NodeName != "" {
				n++
			}
		}
		return n >= 6
	}))
	for _, name := range []string{"kept", "hooked"} {
		s.check(pods.Delete(t.Context(), name, metav1.DeleteOptions{}))
	}
	s.check(s.until("the kubelet's word", func() bool { p := s.pod("kept"); return *p.DeletionGracePeriodSeconds == 0 }))

	for _, name := range []string{"big", "picky"} {
		a := is(name, "pending", "scheduler", "fits on no node")
		p := a.Pods[0]
		if p.Scheduling == nil || p.Scheduling.Message != p.Scheduling.Reported || len(p.Do) == 0 || len(p.Do[0].Nodes) == 0 {
			t.Errorf("%s: not the scheduler's words, or no change that helps: %+v", name, p)
		}
	}
	is("gated", "gated", "controller", "example.com/wait")
	is("slow", "starting", "kubelet", "is starting")
	is("kept", "terminating", "finalizer", "example.com/keep")
	is("hooked", "terminating", "hook", "preStop")
	zero := int64(0)
	s.check(pods.Delete(t.Context(), "hooked", metav1.DeleteOptions{GracePeriodSeconds: &zero}))
}

// Workloads with missing pods.
func TestWhyWorkloads(t *testing.T) {
	s := newScene(t)
	three := int32(3)
	of := func(app string) (*metav1.LabelSelector, corev1.PodTemplateSpec) {
		labels := map[string]string{"app": app}
		return &metav1.LabelSelector{MatchLabels: labels}, corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: podSpec(1)}
	}
	selector, template := of("set")
	template.Labels["start"] = "never"
	_, err := client.AppsV1().StatefulSets(s.namespace).Create(t.Context(), &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "set"},
		Spec: appsv1.StatefulSetSpec{Replicas: &three, Selector: selector, Template: template}}, metav1.CreateOptions{})
	s.check(err)
	selector, template = of("daemon")
	template.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("1")}
	s.taint("w4", corev1.Taint{Key: "team", Value: "x", Effect: corev1.TaintEffectNoSchedule})
	_, err = client.AppsV1().DaemonSets(s.namespace).Create(t.Context(), &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "daemon"},
		Spec: appsv1.DaemonSetSpec{Selector: selector, Template: template}}, metav1.CreateOptions{})
	s.check(err)
	s.check(s.until("the daemons and the first of the set", func() bool { return len(s.pods()) == 4 }))
	_, err = client.CoreV1().ResourceQuotas(s.namespace).Create(t.Context(), &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "few"},
		Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"pods": resource.MustParse("1")}}}, metav1.CreateOptions{})
	s.check(err)
	s.check(s.until("the quota", func() bool {
		q, err := client.CoreV1().ResourceQuotas(s.namespace).Get(t.Context(), "few", metav1.GetOptions{})
		return err == nil && len(q.Status.Used) > 0
	}))
	selector, template = of("web")
	_, err = client.AppsV1().Deployments(s.namespace).Create(t.Context(), &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{Replicas: &three, Selector: selector, Template: template}}, metav1.CreateOptions{})
	s.check(err)
	_, template = of("once")
	template.Spec.RestartPolicy = corev1.RestartPolicyNever
	_, err = client.BatchV1().Jobs(s.namespace).Create(t.Context(), &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "once"}, Spec: batchv1.JobSpec{Template: template}}, metav1.CreateOptions{})
	s.check(err)
	refused := func(subject string) func() bool {
		return func() bool {
			a := s.why(subject)
			return a.Verdict == "stuck" && len(a.Because) > 0 && strings.Contains(a.Because[0].Text, "exceeded quota")
		}
	}
	for _, subject := range []string{"deploy/web", "job/once"} {
		if s.until("the quota's refusal", refused(subject)) != nil {
			t.Errorf("%s does not name the quota: %+v", subject, s.why(subject))
		}
	}
	a := s.why("sts/set")
	if len(a.Missing) != 2 || a.Missing[0].Name != "set-1" || !strings.Contains(a.Missing[0].Because, "set-0, which is not ready") {
		t.Errorf("sts/set: %+v", a)
	}
	a = s.why("ds/daemon")
	i := -1
	for n, m := range a.Missing {
		if m.Node == "w4" {
			i = n
		}
	}
	if i < 0 || a.Missing[i].Due || !strings.Contains(a.Missing[i].Because, "untolerated taint") {
		t.Errorf("ds/daemon: %+v", a)
	}
	s.check(client.AppsV1().DaemonSets(s.namespace).Delete(t.Context(), "daemon", metav1.DeleteOptions{}))
	s.taint("w4")
}

// A pod on an unreachable node is shown as Running, which is only its last reported state.
func TestWhyOnDeadNode(t *testing.T) {
	s := newScene(t)
	name := "dead-node"
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.NodeSpec{Unschedulable: true}}
	_, err := client.CoreV1().Nodes().Create(t.Context(), n, metav1.CreateOptions{})
	s.check(err)
	t.Cleanup(func() { _ = client.CoreV1().Nodes().Delete(cleanUp(), name, metav1.DeleteOptions{}) })
	long := metav1.NewTime(time.Now().Add(-3 * time.Minute))
	s.check(retry.RetryOnConflict(retry.DefaultBackoff, func() error { // the node controller updates taints meanwhile
		n := s.node(name)
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, Reason: "NodeStatusUnknown",
			Message: "Kubelet stopped posting node status.", LastHeartbeatTime: long, LastTransitionTime: long}}
		_, err := client.CoreV1().Nodes().UpdateStatus(t.Context(), n, metav1.UpdateOptions{})
		return err
	}))
	s.make("lost", func(p *corev1.Pod) {
		p.Spec.NodeName, p.Spec.NodeSelector = name, nil
		p.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	})
	patch := []byte(`{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`)
	_, err = client.CoreV1().Pods(s.namespace).Patch(t.Context(), "lost", types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	s.check(err)
	s.check(s.until("the taint of a node that is silent", func() bool {
		return slices.ContainsFunc(s.node(name).Spec.Taints, func(x corev1.Taint) bool {
			return x.Key == corev1.TaintNodeUnreachable && x.Effect == corev1.TaintEffectNoExecute
		})
	}))
	a := s.why("lost")
	if len(a.Pods) != 1 || a.Pods[0].State != "lost" || a.Pods[0].WaitsFor != "kubelet" || !strings.Contains(a.Pods[0].Summary, "forever") {
		t.Errorf("%+v", a)
	}
}

func (s *scene) taint(node string, taints ...corev1.Taint) {
	s.t.Helper()
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"taints": taints}})
	s.check(err)
	_, err = client.CoreV1().Nodes().Patch(cleanUp(), node, types.MergePatchType, patch, metav1.PatchOptions{})
	s.check(err)
}
