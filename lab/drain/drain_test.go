//go:build unix

package drain_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const (
	drained  = 0
	leftOver = 3
)

func maxUnavailable(n int32) policyv1.PodDisruptionBudgetSpec {
	v := intstr.FromInt32(n)
	return policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &v}
}

func minAvailable(n int32) policyv1.PodDisruptionBudgetSpec {
	v := intstr.FromInt32(n)
	return policyv1.PodDisruptionBudgetSpec{MinAvailable: &v}
}

// Two nodes with one PodDisruptionBudget: they become empty, one pod at a time, and the API explains each wait.
func TestBudgetIsKept(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 4, 1) }, "w1", "w2")
	s.budget("web", maxUnavailable(1), "web")
	lowest := s.lowest("web")
	r, code := drain(t, "w1", "w2")
	if code != drained || len(s.on("w1"))+len(s.on("w2")) > 0 {
		t.Fatalf("exit code %d, left on w1 %v, on w2 %v\n%s", code, s.on("w1"), s.on("w2"), r)
	}
	if n := lowest(); n < 3 {
		t.Errorf("only %d of 4 pods served at a time", n)
	}
	if !r.told(t, "evict", "waits", "The disruption budget web needs 3 healthy pods and has 3 currently") {
		t.Errorf("no wait is explained in the API's words:\n%s", r)
	}
	if n := s.node("w1"); !n.Spec.Unschedulable || n.Annotations["nodetriage.dev/cordoned-by"] == "" {
		t.Errorf("w1 is not closed and marked: %v", n.Annotations)
	}
}

// A drain that is killed at any point and started again completes, and never violates the PodDisruptionBudget.
func TestKilledAndResumed(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 6, 1) }, "w1", "w2")
	s.budget("web", maxUnavailable(1), "web")
	lowest := s.lowest("web")
	for i := range 4 {
		r := start(t, plane.Kubeconfig, "w1", "w2", "--anyway")
		time.Sleep(200*time.Millisecond + rand.N(1500*time.Millisecond))
		_ = r.cmd.Process.Kill()
		t.Logf("run %d ended with %d after %d lines", i, r.wait(t), strings.Count(r.out.String(), "\n"))
	}
	r, code := drain(t, "w1", "w2", "--anyway")
	if code != drained || len(s.on("w1"))+len(s.on("w2")) > 0 {
		t.Fatalf("exit code %d\n%s", code, r)
	}
	if n := lowest(); n < 5 {
		t.Errorf("only %d of 6 pods served at a time", n)
	}
}

// Two parallel drains of different nodes, and of a shared node, respect their shared PodDisruptionBudget.
func TestOverlapping(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 6, 1) }, "w1", "w2", "w3")
	s.budget("web", maxUnavailable(1), "web")
	lowest := s.lowest("web")
	a, b := start(t, plane.Kubeconfig, "w1", "w2", "--anyway"), start(t, plane.Kubeconfig, "w2", "w3", "--anyway")
	if x, y := a.wait(t), b.wait(t); x != drained || y != drained {
		t.Fatalf("exit codes %d and %d\n%s\n%s", x, y, a, b)
	}
	if n := lowest(); n < 5 {
		t.Errorf("only %d of 6 pods served at a time", n)
	}
	if left := len(s.on("w1")) + len(s.on("w2")) + len(s.on("w3")); left > 0 {
		t.Errorf("%d pods are left", left)
	}
}

// A cordon by another user remains, with any result of the drain. The cordon of the drain is reverted if requested.
func TestForeignCordon(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 2, 1) }, "w1", "w2")
	s.budget("web", maxUnavailable(0), "web")
	s.close("w1")
	r, code := drain(t, "w1", "w2", "--anyway", "--timeout", "3s", "--uncordon-on-abort")
	if code != leftOver {
		t.Fatalf("exit code %d\n%s", code, r)
	}
	if n := s.node("w1"); !n.Spec.Unschedulable || n.Annotations["nodetriage.dev/cordoned-by"] != "" {
		t.Errorf("the foreign cordon was touched: unschedulable %v, %v", n.Spec.Unschedulable, n.Annotations)
	}
	if n := s.node("w2"); n.Spec.Unschedulable || n.Annotations["nodetriage.dev/cordoned-by"] != "" {
		t.Errorf("its own cordon is left: unschedulable %v, %v", n.Spec.Unschedulable, n.Annotations)
	}
	if !r.told(t, "cordon", "skipped", "already cordoned") || !r.told(t, "evict", "waits", "disruption budget web") {
		t.Errorf("it did not say so:\n%s", r)
	}
}

// A blocked plan is not started. A plan or a dry run changes nothing.
func TestNothingDone(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 2, 1) }, "w1")
	s.budget("web", maxUnavailable(0), "web")
	for _, args := range [][]string{{"w1"}, {"w1", "--plan"}, {"w1", "--dry-run=client"}, {"w1", "--dry-run=server"}, {"w1", "--dry-run=server", "--suspend-pdb", s.namespace + "/web"}} {
		r, code := drain(t, args...)
		if n := s.node("w1"); n.Spec.Unschedulable || len(s.on("w1")) != 2 || len(s.pdb("web").Annotations) > 0 {
			t.Fatalf("drain %v changed something (exit code %d)\n%s", args, code, r)
		}
		if strings.Contains(strings.Join(args, " "), "server") && !r.told(t, "cordon", "would", "") {
			t.Errorf("the server's dry run says nothing of the cordon:\n%s", r)
		}
		if len(args) == 2 && args[1] == "--dry-run=server" && !r.told(t, "evict", "waits", "The disruption budget web needs 2 healthy pods and has 2 currently") {
			t.Errorf("the server's dry run does not say who refuses:\n%s", r)
		}
	}
}

// A suspended PodDisruptionBudget is restored after success, after an interrupt, and by the next run after kill -9.
func TestSuspendedBudgetComesBack(t *testing.T) {
	for _, end := range []string{"success", "interrupt", "kill"} {
		t.Run(end, func(t *testing.T) {
			s := newScene(t)
			s.crowd(func() { s.deployment("web", 2, 2) }, "w1")
			s.budget("web", maxUnavailable(0), "web")
			s.budget("web-too", minAvailable(1), "web")
			before := s.pdb("web").Spec
			r := start(t, plane.Kubeconfig, "w1", "--suspend-pdb", s.namespace+"/web")
			s.check(s.until("the suspension", func() bool { return s.pdb("web").Annotations["nodetriage.dev/suspended"] != "" }))
			switch end {
			case "interrupt":
				s.check(r.cmd.Process.Signal(os.Interrupt))
			case "kill":
				s.check(r.cmd.Process.Kill())
			}
			code := r.wait(t)
			switch end {
			case "success":
				if code != drained {
					t.Errorf("exit code %d\n%s", code, r)
				}
			case "kill":
				b := s.pdb("web")
				if reflect.DeepEqual(b.Spec, before) {
					t.Fatal("it was not suspended when it was killed")
				}
				if !reported(t, "pdb-left-suspended") {
					t.Error("diagnose does not report it")
				}
				if r, code := drain(t, "--restore"); code != 0 || !r.told(t, "restore", "done", "") {
					t.Errorf("exit code %d\n%s", code, r)
				}
			}
			b := s.pdb("web")
			if !reflect.DeepEqual(b.Spec, before) || b.Annotations["nodetriage.dev/suspended"] != "" {
				t.Errorf("the budget is %+v with %v, was %+v\n%s", b.Spec, b.Annotations, before, r)
			}
		})
	}
}

// A single replica with a PodDisruptionBudget that never allows its eviction is replaced first.
func TestSurge(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 1, 1) }, "w1")
	s.budget("web", minAvailable(1), "web")
	lowest := s.lowest("web")
	r, code := drain(t, "w1", "--surge")
	if code != drained || len(s.on("w1")) > 0 {
		t.Fatalf("exit code %d\n%s", code, r)
	}
	if n := lowest(); n < 1 {
		t.Errorf("nobody served for a while\n%s", r)
	}
	d, err := client.AppsV1().Deployments(s.namespace).Get(t.Context(), "web", metav1.GetOptions{})
	s.check(err)
	if *d.Spec.Replicas != 1 || d.Annotations["nodetriage.dev/surged"] != "" {
		t.Errorf("it has %d replicas and %v", *d.Spec.Replicas, d.Annotations)
	}
}

// Pods that would be lost stay until the loss is accepted. Several PodDisruptionBudgets on one pod are named.
func TestBlockers(t *testing.T) {
	s := newScene(t)
	lonely := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "lonely"}, Spec: podSpec(1)}
	lonely.Spec.NodeName = "w1"
	_, err := client.CoreV1().Pods(s.namespace).Create(t.Context(), lonely, metav1.CreateOptions{})
	s.check(err)
	s.crowd(func() { s.deployment("web", 2, 1) }, "w1")
	s.budget("web", maxUnavailable(1), "web")
	s.budget("web-too", minAvailable(1), "web")
	r, code := drain(t, "w1", "--anyway", "--timeout", "4s")
	if code != leftOver || len(s.on("w1")) != 3 {
		t.Fatalf("exit code %d, on w1 %v\n%s", code, s.on("w1"), r)
	}
	if !r.told(t, "evict", "waits", "unmanaged") || !r.told(t, "evict", "waits", "several budgets hold it") {
		t.Errorf("not all waits are explained:\n%s", r)
	}
	r, code = drain(t, "w1", "--accept", "unmanaged", "--suspend-pdb", s.namespace+"/web-too")
	if code != drained || len(s.on("w1")) != 0 {
		t.Errorf("exit code %d, on w1 %v\n%s", code, s.on("w1"), r)
	}
}

// Ctrl-C ends the drain at once. It reports the remaining pods, and uncordons its nodes if requested.
func TestInterrupted(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("web", 2, 1) }, "w1")
	s.budget("web", maxUnavailable(0), "web")
	r := prepare(plane.Kubeconfig, "w1", "--anyway", "--uncordon-on-abort")
	r.cmd.Stdout = &fuse{left: 2, words: `"result":"waits"`, with: syscall.SIGTERM, of: r}
	s.check(r.cmd.Start())
	if code := r.wait(t); code != leftOver {
		t.Errorf("exit code %d\n%s", code, r)
	}
	var end struct {
		Kind, Aborted string
		Left          []struct{ Pod, Why string }
	}
	lines := strings.Split(strings.TrimSpace(r.out.String()), "\n")
	s.check(json.Unmarshal([]byte(lines[len(lines)-1]), &end))
	if end.Kind != "DrainResult" || end.Aborted != "it was interrupted" || len(end.Left) != 2 || !strings.Contains(end.Left[0].Why, "disruption budget web") {
		t.Errorf("the end is %+v", end)
	}
	if s.node("w1").Spec.Unschedulable {
		t.Error("w1 is still closed")
	}
}

// reported reports whether diagnose finds the cause, as of a time when the marks of a dead drain are old.
func reported(t *testing.T, cause string) bool {
	t.Helper()
	later := time.Now().Add(2 * time.Minute).UTC().Format(time.RFC3339)
	out, _ := exec.Command(program, "diagnose", "--kubeconfig", plane.Kubeconfig, "-o", "json", "--at", later).Output()
	var r struct{ Findings []struct{ Cause string } }
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("diagnose: %v", err)
	}
	for _, f := range r.Findings {
		if f.Cause == cause {
			return true
		}
	}
	return false
}
