//go:build unix

package lab_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/load"
)

var moments = flag.Int("moments", 12, "number of random changes after which the watched answer is compared with a new one")

// A watched diagnosis gives the same report as a new one after each random change, and after the API server was restarted.
func TestWatchedAsRead(t *testing.T) {
	c, s := loaded(t)
	few := load.Size{Nodes: 8, Pods: 60, Sick: 2}
	if _, err := s.Fill(t.Context(), few); err != nil {
		t.Fatal(err)
	}
	beating(t, s, few)
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	reports, node := watched(t, c.Kubeconfig), watched(t, c.Kubeconfig, few.Node(0))
	seed := uint64(time.Now().UnixNano())
	changes := churn{client: client, of: few, random: rand.New(rand.NewPCG(seed, 0))}
	var took []time.Duration
	for i := range *moments {
		if i == *moments/2 {
			if err := c.RestartAPIServer(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		what, at := changes.change(t), time.Now()
		said := fmt.Sprintf("seed %d, change %d: %s", seed, i, what)
		took = append(took, reports.same(t, c, at, said))
		if i%4 == 0 {
			node.same(t, c, at, said)
		}
	}
	slices.Sort(took)
	t.Logf("%d changes; the watched report had them after %s (median), %s (longest)",
		len(took), took[len(took)/2].Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond))
}

// A user who may list but not watch gets the same answers, read at each refresh.
func TestWatchedWithoutWatch(t *testing.T) {
	page := documentedRole(t)
	for i := range page.Rules {
		page.Rules[i].Verbs = slices.DeleteFunc(page.Rules[i].Verbs, func(v string) bool { return v == "watch" })
	}
	kubeconfig, err := plane.User(t.Context(), "lists-only", page.Rules...)
	if err != nil {
		t.Fatal(err)
	}
	beating(t, store, size)
	reports := watched(t, kubeconfig)
	reports.same(t, plane, time.Now(), "nothing changed")
}

// churn makes random changes of a cluster.
type churn struct {
	client  kubernetes.Interface
	of      load.Size
	random  *rand.Rand
	changed int
}

// change makes one random change and says which.
func (c *churn) change(t *testing.T) string {
	t.Helper()
	c.changed++
	node := c.of.Node(c.random.IntN(c.of.Nodes))
	kinds := []func(*testing.T, string) string{c.cordon, c.pressure, c.event, c.budget, c.deletePod}
	return kinds[c.random.IntN(len(kinds))](t, node)
}

func (c *churn) cordon(t *testing.T, node string) string {
	on := c.random.IntN(2) == 0
	c.patch(t, node, fmt.Sprintf(`{"spec":{"unschedulable":%v}}`, on))
	return fmt.Sprintf("node %s unschedulable %v", node, on)
}

func (c *churn) pressure(t *testing.T, node string) string {
	status := corev1.ConditionStatus([]string{"True", "False"}[c.random.IntN(2)])
	now := time.Now().UTC().Format(time.RFC3339)
	c.patch(t, node, fmt.Sprintf(`{"status":{"conditions":[{"type":"DiskPressure","status":%q,"reason":"KubeletHasDiskPressure","lastTransitionTime":%q,"lastHeartbeatTime":%q}]}}`, status, now, now), "status")
	return fmt.Sprintf("node %s DiskPressure %s", node, status)
}

func (c *churn) patch(t *testing.T, node, patch string, subresources ...string) {
	t.Helper()
	if _, err := c.client.CoreV1().Nodes().Patch(t.Context(), node, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}, subresources...); err != nil {
		t.Fatal(err)
	}
}

func (c *churn) event(t *testing.T, node string) string {
	pods, err := c.client.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{FieldSelector: "spec.nodeName=" + node})
	if err != nil || len(pods.Items) == 0 {
		return "nothing: no pod on " + node
	}
	pod, now := pods.Items[c.random.IntN(len(pods.Items))], metav1.Now()
	_, err = c.client.CoreV1().Events(pod.Namespace).Create(t.Context(), &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: fmt.Sprintf("%s.%d", pod.Name, c.changed)}, Type: corev1.EventTypeWarning,
		Reason: "FailedCreatePodSandBox", Message: `Failed to create pod sandbox: plugin type="bridge" failed (add): failed to find plugin "bridge" in path [/opt/cni/bin]`,
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name}, Source: corev1.EventSource{Component: "kubelet", Host: node},
		FirstTimestamp: now, LastTimestamp: now, Count: 1,
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return "event of pod " + pod.Name
}

func (c *churn) budget(t *testing.T, _ string) string {
	name, none := fmt.Sprintf("budget-%d", c.changed), intstr.FromInt32(0)
	_, err := c.client.PolicyV1().PodDisruptionBudgets("team-00").Create(t.Context(), &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &none, Selector: &metav1.LabelSelector{}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return "budget " + name
}

func (c *churn) deletePod(t *testing.T, node string) string {
	pods, err := c.client.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{FieldSelector: "spec.nodeName=" + node})
	if err != nil || len(pods.Items) == 0 {
		return "nothing: no pod on " + node
	}
	pod, now := pods.Items[c.random.IntN(len(pods.Items))], int64(0)
	if err := c.client.CoreV1().Pods(pod.Namespace).Delete(t.Context(), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
		t.Fatal(err)
	}
	return "pod " + pod.Name + " deleted"
}

// stream has the reports of a running diagnose -w -o json.
type stream struct {
	args   []string
	mu     sync.Mutex
	docs   []received
	errors *bytes.Buffer
}

type received struct {
	at  time.Time
	doc map[string]any
}

// watched starts diagnose -w -o json, which ends with the test.
func watched(t *testing.T, kubeconfig string, nodes ...string) *stream {
	t.Helper()
	s := &stream{args: append([]string{"diagnose", "-o", "json"}, nodes...), errors: &bytes.Buffer{}}
	cmd := exec.CommandContext(t.Context(), program, append(s.args, "-w", "--kubeconfig", kubeconfig)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = s.errors
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); s.read(out) }()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-done; _ = cmd.Wait() })
	return s
}

func (s *stream) read(out io.Reader) {
	for d := json.NewDecoder(out); ; {
		var doc map[string]any
		if d.Decode(&doc) != nil {
			return
		}
		s.mu.Lock()
		s.docs = append(s.docs, received{time.Now(), doc})
		s.mu.Unlock()
	}
}

// same waits until the watched report is that of a new diagnosis, and returns how long after the change it came.
func (s *stream) same(t *testing.T, c *lab.ControlPlane, change time.Time, what string) time.Duration {
	t.Helper()
	var got, want any
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); {
		out, _ := exec.CommandContext(t.Context(), program, append(s.args, "--kubeconfig", c.Kubeconfig)...).Output()
		var fresh map[string]any
		if err := json.Unmarshal(out, &fresh); err != nil {
			t.Fatalf("%s: %v: %s", what, err, out)
		}
		want = timeless(fresh)
		s.mu.Lock()
		docs := slices.Clone(s.docs)
		s.mu.Unlock()
		for _, r := range docs {
			if got = timeless(r.doc); r.at.After(change) && reflect.DeepEqual(got, want) {
				return r.at.Sub(change)
			}
		}
		time.Sleep(time.Second)
	}
	t.Fatalf("%s: the watched report differs:\n%s\nnew:\n%s\n%s", what, indented(got), indented(want), s.errors)
	return 0
}

// timeless replaces what time alone changes in a report.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			if !slices.Contains([]string{"takenAt", "lastSeen", "since"}, key) {
				out[key] = timeless(value)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = timeless(v[i])
		}
		return out
	case string:
		return period.ReplaceAllString(v, "T")
	}
	return v
}

var period = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d\d:\d\d:\d\d(Z|\b)|\b(\d+(\.\d+)?(ms|s|m|h|d))+\b`)

func indented(v any) string {
	text, _ := json.MarshalIndent(v, "", " ")
	return strings.TrimSpace(string(text))
}
