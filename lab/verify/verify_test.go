//go:build linux

package verify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

const (
	busybox   = "registry.example.com/busybox:1"
	namespace = "canaries"
	label     = "app.kubernetes.io/name=nodetriage-canary"
)

// world is a cluster with two real nodes and the program.
type world struct {
	program  string
	plane    *lab.ControlPlane
	client   kubernetes.Interface
	machines []*lab.Machine
}

func newWorld(t *testing.T, program string) *world {
	t.Helper()
	static, err := exec.LookPath("busybox")
	if err != nil {
		t.Skip("the canary of the lab is made of Debian's busybox-static, which is not installed")
	}
	w := &world{program: program}
	if w.plane, err = lab.Start(t.Context(), lab.Options{Machines: true, Log: os.Stderr}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.plane.Stop)
	links := map[string]string{}
	for _, name := range []string{"sh", "nslookup", "wget", "httpd", "nc", "sed", "tail", "sleep", "timeout"} {
		links["bin/"+name] = "busybox"
	}
	for range 2 {
		m, err := w.plane.AddMachine(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := m.AddImage(t.Context(), lab.ImageSpec{Name: busybox, Programs: map[string]string{"bin/busybox": static}, Links: links}); err != nil {
			t.Fatal(err)
		}
		// The path of the kubelet log on a node without a journal.
		if err := os.Link(m.Log(lab.Kubelet), filepath.Join(filepath.Dir(m.Log(lab.Kubelet)), "log", "kubelet.log")); err != nil {
			t.Fatal(err)
		}
		w.machines = append(w.machines, m)
	}
	if err := network(t.Context(), w.machines); err != nil {
		t.Fatal(err)
	}
	if w.client, err = w.plane.Client(); err != nil {
		t.Fatal(err)
	}
	// The canary must meet the restricted Pod Security Standard.
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace, Labels: map[string]string{
		"pod-security.kubernetes.io/enforce": "restricted", "pod-security.kubernetes.io/enforce-version": "latest",
	}}}
	if _, err := w.client.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return w
}

type step struct{ ID, Result, Detail, Took string }

// answer is the output of verify.
type answer struct {
	Verdict    string
	Steps      []step
	Comparison struct {
		Changes []struct{ Cause, Now, Because string }
	}
	code int
	took time.Duration
}

func (a answer) step(id string) step {
	for _, s := range a.Steps {
		if s.ID == id {
			return s
		}
	}
	return step{}
}

func (w *world) command(args ...string) *exec.Cmd {
	return exec.Command(w.program, append(args, "-o", "json", "--kubeconfig", w.plane.Kubeconfig, "-n", namespace)...)
}

// verify verifies the first machine, with its node report.
func (w *world) verify(t *testing.T, args ...string) answer {
	t.Helper()
	report, err := w.machines[0].Report(t.Context(), w.program)
	if err != nil {
		t.Fatal(err)
	}
	cmd := w.command(append([]string{"verify", w.machines[0].Name, "--report", "-", "--canary-image", busybox, "--canary-timeout", "5m"}, args...)...)
	var out, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(report), &out, &stderr
	begin := time.Now()
	_ = cmd.Run() // the exit code is the verdict
	a := answer{code: cmd.ProcessState.ExitCode(), took: time.Since(begin)}
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatalf("%v: %s %s", err, &out, &stderr)
	}
	t.Logf("%s, exit code %d, after %s", a.Verdict, a.code, a.took.Round(time.Second/10))
	for _, s := range a.Steps {
		t.Logf("  %-10s %-17s %6s  %s", s.Result, s.ID, s.Took, s.Detail)
	}
	return a
}

// canaries returns the existing pods of canaries.
func (w *world) canaries(t *testing.T) []corev1.Pod {
	t.Helper()
	list, err := w.client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: label})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}

// canaryBeside reports whether there is a canary pod in addition to old ones.
func (w *world) canaryBeside(old []corev1.Pod) bool {
	list, err := w.client.CoreV1().Pods(namespace).List(context.Background(), metav1.ListOptions{LabelSelector: label})
	return err == nil && slices.ContainsFunc(list.Items, func(is corev1.Pod) bool {
		return !slices.ContainsFunc(old, func(was corev1.Pod) bool { return was.UID == is.UID })
	})
}

func eventually(t *testing.T, within time.Duration, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !is(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", within, what)
		}
	}
}

// late matches the message of a canary without a refusal: the scheduler or its node was only too slow.
var late = regexp.MustCompile(`^(?:not within \S+: no scheduler has handled it|its node did not terminate \d+ of them in \S+: force-deleted)$`)

// onlyLate reports whether a canary failed only because of a timeout.
func (a answer) onlyLate() bool {
	some := false
	for _, s := range a.Steps {
		if strings.HasPrefix(s.ID, "canary-") && s.Result != "clear" {
			some = true
			if !late.MatchString(s.Detail) {
				return false
			}
		}
	}
	return some
}

// fly verifies with a canary, and repeats it after a timeout, as on a busy machine: with a fault the next ones time out
// too.
func (w *world) fly(t *testing.T, args ...string) answer {
	t.Helper()
	for tries := 1; ; tries++ {
		if a := w.verify(t, append(args, "--canary")...); tries == 3 || !a.onlyLate() {
			return a
		}
	}
}

// flown returns the steps of a successful canary.
var flown = []string{"canary-placed", "canary-started", "canary-resolves", "canary-api", "canary-to-peer", "canary-from-peer", "canary-removed"}

func (w *world) wantFlown(t *testing.T, a answer) {
	t.Helper()
	for _, id := range flown {
		if s := a.step(id); s.Result != "clear" || s.Took == "" {
			t.Errorf("%s is %s (%s) after %q", id, s.Result, s.Detail, s.Took)
		}
	}
	if left := w.canaries(t); len(left) > 0 {
		t.Errorf("%d pods of the canary are left", len(left))
	}
}

// A real node is broken, found to be unhealthy, healed, and verified. Each test has a separate cluster and mostly
// waits, so all of them run in parallel.
func TestVerify(t *testing.T) {
	if err := lab.CanRunMachines(); err != nil {
		t.Skip(err)
	}
	program, err := lab.BuildOwn("../../cmd/nodetriage", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var plays errgroup.Group
	plays.SetLimit(max(1, lab.MachinesAtOnce()/4)) // two nodes each, next to other packages
	for name, play := range map[string]func(*world, *testing.T){
		"well":               (*world).well,
		"no image":           (*world).noImage,
		"runtime-stopped":    func(w *world, t *testing.T) { w.breakAndHeal(t, "runtime-stopped") },
		"cni-config-removed": func(w *world, t *testing.T) { w.breakAndHeal(t, "cni-config-removed") },
	} {
		plays.Go(func() error {
			t.Run(name, func(t *testing.T) { play(newWorld(t, program), t) })
			return nil
		})
	}
	_ = plays.Wait()
}

// well: a healthy node, while the kubelet stops, runs are killed and interrupted, and another user cordons it.
func (w *world) well(t *testing.T) {
	node := w.machines[0].Name
	a := w.quietMinute(t)
	if a.code != 0 || a.Verdict != "clear" {
		t.Errorf("of a healthy node it says %s, exit code %d", a.Verdict, a.code)
	}
	w.wantFlown(t, a)

	t.Run("kubelet stopped", w.kubeletStopped)
	t.Run("killed", w.killed)
	t.Run("interrupted", w.interrupted)
	t.Run("cordoned", func(t *testing.T) {
		patch := []byte(`{"spec":{"unschedulable":true}}`)
		if _, err := w.client.CoreV1().Nodes().Patch(t.Context(), node, "application/merge-patch+json", patch, metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
		a := w.fly(t)
		w.wantFlown(t, a)
		if a.step("taints").Result != "warning" {
			t.Errorf("the cordon is %+v", a.step("taints"))
		}
	})
}

// busy matches kubelet messages on a busy host: they are true, and not a fault of the node.
var busy = regexp.MustCompile(`: (?:[a-z-]*slow[a-z-]*(?:, )?)+$`)

// quietMinute verifies after a minute of log without a fault. If the kubelet was only slow in it, it verifies after
// another minute.
func (w *world) quietMinute(t *testing.T, args ...string) answer {
	t.Helper()
	for tries := 1; ; tries++ {
		began := time.Now()
		time.Sleep(65 * time.Second)
		a := w.fly(t, append(args, "--since", began.UTC().Format(time.RFC3339))...)
		alone := !slices.ContainsFunc(a.Steps, func(s step) bool { return s.ID != "journal" && (s.Result == "warning" || s.Result == "not-clear") })
		if tries == 5 || !alone || !busy.MatchString(a.step("journal").Detail) {
			return a
		}
	}
}

// noImage: a canary with an unavailable image does not start, and is deleted.
func (w *world) noImage(t *testing.T) {
	a := w.verify(t, "--canary", "--canary-image", "registry.invalid/none:1", "--canary-timeout", "2m")
	if s := a.step("canary-started"); a.code != 3 || s.Result != "not-clear" || !strings.Contains(s.Detail, "--canary-image") {
		t.Errorf("exit code %d, %+v", a.code, s)
	}
	if left := w.canaries(t); len(left) > 0 {
		t.Errorf("%d pods of the canary are left", len(left))
	}
}

// breakAndHeal breaks the node with a scenario. While it is broken, the verdict is never clear. After the heal, the
// earlier cause is clear.
func (w *world) breakAndHeal(t *testing.T, name string) {
	s, err := scenario.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	node := w.machines[0].Name
	world, err := scenario.NewWorld(w.plane, node)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Break(t.Context(), world); err != nil {
		t.Fatal(err)
	}
	time.Sleep(s.After) // by then all symptoms show, on an idle host
	var before []byte
	eventually(t, 5*time.Minute, "the node is not Ready, and diagnose names "+s.Truth.Class, func() bool {
		n, err := w.client.CoreV1().Nodes().Get(t.Context(), node, metav1.GetOptions{})
		if err != nil || ready(n) {
			return false
		}
		before = w.diagnosed(t, node)
		t.Logf("before the fix: %s", named(before))
		return slices.ContainsFunc(findings(before), func(f finding) bool { return f.Cause == s.Truth.Class })
	})
	saved := filepath.Join(t.TempDir(), "before.json")
	if err := os.WriteFile(saved, before, 0o600); err != nil {
		t.Fatal(err)
	}
	if a := w.verify(t, "--canary", "--before", saved); a.code != 3 || a.step("ready").Result != "not-clear" || a.step("comparison").Result != "not-clear" {
		t.Errorf("broken, it says %s, exit code %d", a.Verdict, a.code)
	}
	if len(w.canaries(t)) > 0 {
		t.Error("a canary was sent to a node that is not Ready")
	}
	if err := s.Heal(t.Context(), world); err != nil {
		t.Fatal(err)
	}
	eventually(t, 3*time.Minute, "the node is Ready", func() bool {
		n, err := w.client.CoreV1().Nodes().Get(t.Context(), node, metav1.GetOptions{})
		return err == nil && ready(n)
	})
	last := time.Now().Add(10 * time.Second) // for the last messages of the old fault
	eventually(t, 3*time.Minute, "its kubelet still says that it is there, 10 s later", func() bool { return w.renewed(t, last) })
	a := w.quietMinute(t, "--before", saved)
	w.wantFlown(t, a)
	if a.code != 0 || a.Verdict != "clear" {
		t.Errorf("healed, it says %s, exit code %d", a.Verdict, a.code)
	}
	gone := false
	for _, ch := range a.Comparison.Changes {
		t.Logf("  %s: %s, %s", ch.Cause, ch.Now, ch.Because)
		gone = gone || ch.Cause == s.Truth.Class && ch.Now == "clear"
	}
	if !gone {
		t.Errorf("%s is not clear: %+v", s.Truth.Class, a.Comparison.Changes)
	}
}

// diagnosed returns the report on the node, from the evidence of cluster and node.
func (w *world) diagnosed(t *testing.T, node string) []byte {
	t.Helper()
	dir := t.TempDir()
	own, bundle := filepath.Join(dir, "node.json"), filepath.Join(dir, "bundle.tar.gz")
	report, err := w.machines[0].Report(t.Context(), w.program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, report, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(w.program, "collect", "-o", bundle, "--kubeconfig", w.plane.Kubeconfig).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, _ := exec.Command(w.program, "diagnose", node, "-f", bundle, "-f", own, "-o", "json").Output() // exit code 3
	return out
}

// finding contains the checked fields of a finding.
type finding struct {
	Cause, Certainty string
	Evidence         []struct{ Source, Text string }
}

func findings(report []byte) []finding {
	var r struct{ Findings []finding }
	_ = json.Unmarshal(report, &r) // an unreadable report names nothing
	return r.Findings
}

// named returns the causes of a report, each with its first evidence.
func named(report []byte) string {
	var out strings.Builder
	for _, f := range findings(report) {
		fmt.Fprintf(&out, "\n  %s %s", f.Certainty, f.Cause)
		if len(f.Evidence) > 0 {
			fmt.Fprintf(&out, ": %s: %.300s", f.Evidence[0].Source, f.Evidence[0].Text)
		}
	}
	return out.String()
}

func ready(n *corev1.Node) bool {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// kubeletStopped: the node is still Ready for a while, but its kubelet is stopped.
func (w *world) kubeletStopped(t *testing.T) {
	kubelet := w.machines[0].Unit(lab.Kubelet)
	if err := kubelet.Stop(); err != nil {
		t.Fatal(err)
	}
	a := w.verify(t)
	if s := a.step("kubelet"); a.code != 3 || s.Result != "not-clear" {
		t.Errorf("exit code %d, %+v", a.code, s)
	}
	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second))) // not in the same second as its last status: see saidSince
	started := time.Now()
	if err := kubelet.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, 3*time.Minute, "the kubelet answers", func() bool {
		answer, err := w.client.CoreV1().RESTClient().Get().AbsPath("/api/v1/nodes/" + w.machines[0].Name + "/proxy/healthz").DoRaw(t.Context())
		return err == nil && string(answer) == "ok"
	})
	eventually(t, 3*time.Minute, "its node is called Ready for what it says now", func() bool {
		node, err := w.client.CoreV1().Nodes().Get(t.Context(), w.machines[0].Name, metav1.GetOptions{})
		return err == nil && ready(node) && saidSince(node, started) && w.renewed(t, started)
	})
}

// renewed reports whether the kubelet of the first machine has renewed its lease since a time.
func (w *world) renewed(t *testing.T, since time.Time) bool {
	lease, err := w.client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Get(t.Context(), w.machines[0].Name, metav1.GetOptions{})
	return err == nil && lease.Spec.RenewTime != nil && !lease.Spec.RenewTime.Time.Before(since)
}

// saidSince reports whether the kubelet has posted its status since a time, or earlier in the same second. The API
// stores times in seconds, and a kubelet that started in that second posts nothing more for minutes.
func saidSince(n *corev1.Node, since time.Time) bool {
	return slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && !c.LastHeartbeatTime.Time.Before(since.Truncate(time.Second))
	})
}

// killed: the next run removes the pods of a killed run; a pod that only looks like a canary stays.
func (w *world) killed(t *testing.T) {
	stranger := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "stranger", Labels: map[string]string{"app.kubernetes.io/name": "nodetriage-canary"}},
		Spec: corev1.PodSpec{NodeSelector: map[string]string{"none": "such"}, SecurityContext: restricted(), Containers: []corev1.Container{{
			Name: "app", Image: lab.Image, SecurityContext: restrictedContainer(),
		}}},
	}
	if _, err := w.client.CoreV1().Pods(namespace).Create(t.Context(), stranger, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		now := int64(0)
		if err := w.client.CoreV1().Pods(namespace).Delete(t.Context(), "stranger", metav1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
			t.Error(err)
		}
	}()
	var out bytes.Buffer
	cmd := w.command("verify", w.machines[0].Name, "--canary", "--canary-image", busybox)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	eventually(t, 3*time.Minute, "the canary is there", func() bool {
		select {
		case <-ended:
			t.Fatalf("it ended before a canary was seen: %s", &out)
		default:
		}
		return len(w.canaries(t)) > 1
	})
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	if len(w.canaries(t)) < 2 {
		t.Fatal("the killed run left nothing behind")
	}
	a := w.verify(t, "--canary")
	if s := a.step("canary-leftovers"); s.Result != "clear" {
		t.Errorf("leftovers: %+v", s)
	}
	eventually(t, 3*time.Minute, "what the killed run left is gone, and the stranger is not", func() bool {
		left := w.canaries(t)
		return len(left) == 1 && left[0].Name == "stranger"
	})
}

// interrupted: Ctrl-C during a canary deletes the pods, and verifies nothing.
func (w *world) interrupted(t *testing.T) {
	old := w.canaries(t)
	var out bytes.Buffer
	cmd := w.command("verify", w.machines[0].Name, "--canary", "--canary-image", busybox)
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, 3*time.Minute, "the canary is there", func() bool { return w.canaryBeside(old) })
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("it ends with %d: %s", code, &out)
	}
	if left := w.canaries(t); len(left) > 0 {
		t.Errorf("%d pods are left", len(left))
	}
}

func restricted() *corev1.PodSecurityContext {
	yes, user := true, int64(65534)
	return &corev1.PodSecurityContext{RunAsNonRoot: &yes, RunAsUser: &user, SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}}
}

func restrictedContainer() *corev1.SecurityContext {
	no := false
	return &corev1.SecurityContext{AllowPrivilegeEscalation: &no, Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}}
}
