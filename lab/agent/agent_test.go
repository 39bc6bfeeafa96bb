//go:build linux

package agent_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/nodetriage/nodetriage/lab"
)

var minor = flag.String("kubernetes", "", "minor version of control plane and kubelet; empty: the lab's own")

// image is the image name in the manifest.
const image = "nodetriage-agent:latest"

// world is a cluster with one real node and the programs.
type world struct {
	bin     string
	plane   *lab.ControlPlane
	client  kubernetes.Interface
	machine *lab.Machine
}

// newWorld starts a node without systemd that has the agent image.
func newWorld(t *testing.T) *world {
	t.Helper()
	if err := lab.CanRunMachines(); err != nil {
		t.Skip(err)
	}
	w := newPlane(t)
	var err error
	if w.machine, err = w.plane.AddMachine(t.Context()); err != nil {
		t.Fatal(err)
	}
	// systemd mounts the file systems of a node as shared, so that containers see later mounts. The lab node does not
	// do this.
	if _, err := w.machine.Run(t.Context(), "mount", "--make-rshared", "/"); err != nil {
		t.Fatal(err)
	}
	spec := lab.ImageSpec{
		Name: "docker.io/library/" + image, Entrypoint: []string{"/nodetriage-agent"},
		Programs: map[string]string{"nodetriage-agent": filepath.Join(w.bin, "nodetriage-agent")},
	}
	if err := w.machine.AddImage(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	return w
}

// newSystemd starts a node with systemd.
func newSystemd(t *testing.T) *world {
	t.Helper()
	if err := lab.CanRunSystemd(); err != nil {
		t.Skip(err)
	}
	w := newPlane(t)
	if _, err := lab.BuildRoot(t.Context(), os.Stderr); err != nil {
		t.Fatal(err)
	}
	var err error
	if w.machine, err = w.plane.AddSystemd(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// newPlane builds the programs and starts a control plane without nodes.
func newPlane(t *testing.T) *world {
	t.Helper()
	w := &world{bin: t.TempDir()}
	for _, program := range []string{"nodetriage", "nodetriage-agent"} {
		if _, err := lab.BuildOwn("../../cmd/"+program, w.bin); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if w.plane, err = lab.Start(t.Context(), lab.Options{Machines: true, Kubernetes: *minor, Log: os.Stderr}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.plane.Stop)
	if err := w.plane.NodesReadMetrics(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.client, err = w.plane.Client(); err != nil {
		t.Fatal(err)
	}
	return w
}

// gap is an entry of "Not checked".
type gap struct{ What, Why string }

// report contains the fields of a node report that the tests check.
type report struct {
	Node        string
	TakenAt     time.Time
	Gaps        []gap
	Connections []struct{ Peer, Answer, Message string }
	Runtime     struct {
		Answer    string
		Sandboxes []struct{ Name string }
	}
	Kubelet struct {
		Healthz  string
		Series   []string
		Settings map[string]string
	}
	CNI          struct{ Network struct{ File string } }
	Certificates []struct{ Path string }
	Filesystems  []struct{ Mount string }
	Hung         []struct{ What, Name string }
	Saved        []struct {
		File, Why string
		Bytes     int64
	}
}

func eventually(t *testing.T, within time.Duration, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !is(); time.Sleep(time.Second) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", within, what)
		}
	}
}

// manifest is deploy/agent.yaml.
func manifest(t *testing.T) (*corev1.Namespace, *appsv1.DaemonSet) {
	t.Helper()
	data, err := os.ReadFile("../../deploy/agent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var ns *corev1.Namespace
	var set *appsv1.DaemonSet
	for _, part := range regexp.MustCompile(`(?m)^---$`).Split(string(data), -1) {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode([]byte(part), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		switch o := object.(type) {
		case *corev1.Namespace:
			ns = o
		case *appsv1.DaemonSet:
			set = o
		default:
			t.Fatalf("the manifest has a %T: the agent needs no rights in the cluster", o)
		}
	}
	if ns == nil || set == nil {
		t.Fatal("the manifest lacks the namespace or the DaemonSet")
	}
	return ns, set
}

// deploy applies the manifest and waits until the pod of the agent is ready. It changes two settings for the lab: there
// is no registry with a newer image, and the tests do not wait two minutes for a report.
func (w *world) deploy(t *testing.T) *corev1.Pod {
	t.Helper()
	ns, set := manifest(t)
	container := &set.Spec.Template.Spec.Containers[0]
	container.ImagePullPolicy = corev1.PullNever
	container.Args = append(container.Args, "-every=10s")
	if _, err := w.client.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.client.AppsV1().DaemonSets(set.Namespace).Create(t.Context(), set, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return w.ready(t, "")
}

// ready waits until the pod of the agent is ready. A pod that is being deleted does not count.
func (w *world) ready(t *testing.T, going types.UID) *corev1.Pod {
	t.Helper()
	_, set := manifest(t)
	var pod *corev1.Pod
	defer func() {
		if t.Failed() && pod != nil {
			t.Logf("%+v", pod.Status)
		}
	}()
	eventually(t, 3*time.Minute, "the agent's pod is ready", func() bool {
		list, err := w.client.CoreV1().Pods(set.Namespace).List(t.Context(), metav1.ListOptions{LabelSelector: metav1.FormatLabelSelector(set.Spec.Selector)})
		if err != nil || len(list.Items) != 1 || list.Items[0].UID == going {
			return false
		}
		pod = &list.Items[0]
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodReady {
				return c.Status == corev1.ConditionTrue
			}
		}
		return false
	})
	return pod
}

// replace deletes the pod of the agent and waits for the next one, which does not know the state of the previous pod.
func (w *world) replace(t *testing.T, pod *corev1.Pod) {
	t.Helper()
	if err := w.client.CoreV1().Pods(pod.Namespace).Delete(t.Context(), pod.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w.ready(t, pod.UID)
}

// proxied reads a file in /var/log of the node through the API server.
func (w *world) proxied(t *testing.T, path string) []byte {
	t.Helper()
	data, err := w.client.CoreV1().RESTClient().Get().SetHeader("Accept", "*/*").AbsPath("/api/v1/nodes", w.machine.Name, "proxy/logs/nodetriage", path).DoRaw(t.Context())
	if err != nil {
		t.Logf("read %s: %v", path, err)
		return nil
	}
	return data
}

func (w *world) report(t *testing.T) *report {
	t.Helper()
	var r report
	data := w.proxied(t, "report.json")
	if data == nil {
		return nil
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// wellReport returns a report in which kubelet, runtime and API server answered and no probe was late. On a busy
// machine this may take several reports.
func (w *world) wellReport(t *testing.T) *report {
	t.Helper()
	var r *report
	defer func() {
		if t.Failed() {
			t.Logf("its last report: %+v", r)
		}
	}()
	eventually(t, 5*time.Minute, "the agent reports that kubelet, runtime and API server answer", func() bool {
		r = w.report(t)
		return r != nil && r.Runtime.Answer == "ok" && r.Kubelet.Healthz == "ok" && answer(r, "ok") && !late(r)
	})
	return r
}

// silent reports whether runtime, kubelet or API server did not answer in time.
func silent(r *report) bool {
	return r.Runtime.Answer == "hung" || answered(r, "kubelet", "timeout") || answer(r, "timeout")
}

// late reports whether any probe did not get its answer in time. On a busy machine this is not a fault of the agent.
func late(r *report) bool {
	return silent(r) || len(r.Hung) > 0 || slices.ContainsFunc(r.Gaps, func(g gap) bool { return strings.HasPrefix(g.Why, "no answer in time") })
}

// diagnose runs the program and returns its JSON output.
func (w *world) diagnose(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(w.bin, "nodetriage"), append([]string{"diagnose", "-o", "json"}, args...)...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	_ = cmd.Run() // the exit code is the verdict
	if !json.Valid(out.Bytes()) {
		t.Fatalf("diagnose %q: %s %s", args, &out, &stderr)
	}
	return out.String()
}

const awayFile = reports + "/away.json"

// away returns the reports that the agent stored while the API server did not answer.
func (w *world) away(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(w.machine.Path(awayFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return data
}

func TestDaemonSet(t *testing.T) {
	w := newWorld(t)
	begin := time.Now().Truncate(time.Second)
	pod := w.deploy(t)
	for _, v := range pod.Spec.Volumes {
		if v.Projected != nil || v.Secret != nil {
			t.Errorf("volume %s carries rights in the cluster", v.Name)
		}
	}

	// The agent stores a report of its node, and the kubelet serves it.
	first := w.wellReport(t)
	if first.Node != w.machine.Name || first.TakenAt.Before(begin) {
		t.Errorf("the report is of %q, taken at %s", first.Node, first.TakenAt)
	}
	if len(first.Runtime.Sandboxes) == 0 {
		t.Errorf("what it says of the runtime: %+v", first.Runtime)
	}
	if first.CNI.Network.File == "" || len(first.Certificates) == 0 || len(first.Filesystems) == 0 {
		t.Errorf("it lacks the pod network, certificates or file systems: %+v", first)
	}
	for _, g := range first.Gaps {
		t.Logf("not seen: %s: %s", g.What, g.Why)
		// The rights of the manifest are used. Open files of other processes need agent.ptrace of the chart.
		switch g.What {
		case "inotify instances":
			if !strings.Contains(g.Why, "at least one instance is left") || !strings.Contains(g.Why, "agent.ptrace of the chart") {
				t.Errorf("it does not say what it lacks to count inotify instances: %s", g.Why)
			}
		case "runtime", "processes", "certificates", "network configuration", "file systems":
			t.Errorf("its rights on the node do not suffice: %s: %s", g.What, g.Why)
		}
	}
	eventually(t, 3*time.Minute, "the report is replaced by a newer one", func() bool {
		r := w.report(t)
		return r != nil && r.TakenAt.After(first.TakenAt)
	})

	// The agent serves its metrics only on the loopback of the node.
	var figures string
	eventually(t, 5*time.Minute, "the agent tells that nothing hung in its last look", func() bool { // on a busy machine not in every report
		var err error
		if figures, err = w.machine.Run(t.Context(), "curl", "-sf", "--max-time", "5", "http://127.0.0.1:10299/metrics"); err != nil {
			t.Log(err)
		}
		return err == nil && strings.Contains(figures, "\nnodetriage_agent_hung 0\n")
	})
	for _, name := range []string{"report_age_seconds", "look_seconds", "gaps", "looks_total", "write_failures_total 0"} {
		if !strings.Contains(figures, "\nnodetriage_agent_"+name) {
			t.Errorf("the figures have no %s:\n%s", name, figures)
		}
	}
	if _, err := w.machine.Run(t.Context(), "curl", "-s", "--max-time", "2", "http://"+w.machine.Address+":10299/metrics"); err == nil {
		t.Error("its port is open to the network")
	}

	// diagnose finds a problem remotely that only the node can see.
	program := lab.CNIPlugins + "/bridge"
	if _, err := w.machine.Run(t.Context(), "mv", program, "/var/lib/taken-away"); err != nil {
		t.Fatal(err)
	}
	source := "agent on node/" + w.machine.Name
	eventually(t, 3*time.Minute, "diagnose finds, by the agent's report, the plugin that is gone", func() bool {
		out := w.diagnose(t, "--kubeconfig", w.plane.Kubeconfig, w.machine.Name)
		return strings.Contains(out, `"cni-binary-missing"`) && strings.Contains(out, source)
	})

	// While the API server is unreachable, the agent stores its reports. The plugin is still missing, so every later
	// report shows it. An API server that is too busy for one report also counts as unreachable; the agent then stores
	// nothing for ten minutes.
	if early := w.away(t); len(early) > 0 {
		for d := json.NewDecoder(bytes.NewReader(early)); d.More(); {
			var r report
			if err := d.Decode(&r); err != nil || !answer(&r, "timeout") {
				t.Fatalf("kept although the API server answers: %v, %s", err, early)
			}
		}
		if err := os.Remove(w.machine.Path(awayFile)); err != nil {
			t.Fatal(err)
		}
		w.replace(t, pod)
	}
	if err := w.machine.Cut(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, 3*time.Minute, "a report is kept", func() bool { return len(w.away(t)) > 0 })
	if _, err := w.machine.Run(t.Context(), "mv", "/var/lib/taken-away", program); err != nil {
		t.Fatal(err)
	}
	mended := time.Now()
	if err := w.machine.Mend(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, 3*time.Minute, "the report after the outage can be had", func() bool {
		r := w.report(t)
		return r != nil && r.TakenAt.After(mended) && answer(r, "ok")
	})

	// Afterwards diagnose reports the problem as past, without access to the node. A bundle contains it too.
	eventually(t, 5*time.Minute, "diagnose tells of the outage as what was", func() bool {
		return w.tellsOfOutage(t, program, "--kubeconfig", w.plane.Kubeconfig, w.machine.Name)
	})
	eventually(t, 5*time.Minute, "diagnose tells of the outage as what was, by a bundle", func() bool {
		bundle := filepath.Join(t.TempDir(), "bundle.tar.gz")
		if out, err := exec.Command(filepath.Join(w.bin, "nodetriage"), "collect", w.machine.Name, "-o", bundle, "--kubeconfig", w.plane.Kubeconfig).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return w.tellsOfOutage(t, program, "-f", bundle)
	})

	// As a file, the reports are evidence of their time.
	file := filepath.Join(t.TempDir(), "away.json")
	var kept []byte
	eventually(t, 3*time.Minute, "the kubelet hands out what was kept", func() bool {
		kept = w.proxied(t, "away.json")
		return kept != nil
	})
	if err := os.WriteFile(file, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := w.diagnose(t, "-f", file); !strings.Contains(out, `"apiserver-unreachable"`) {
		t.Errorf("diagnose makes nothing of the outage: %s", out)
	}
}

// tellsOfOutage reports whether diagnose shows the problem of the outage as past. On a busy machine the API server may
// also be too slow for the latest report. The plugin is back, so it must not be reported as missing.
func (w *world) tellsOfOutage(t *testing.T, program string, args ...string) bool {
	t.Helper()
	var judged struct {
		Findings []struct{ Cause, Severity, Summary string }
	}
	if err := json.Unmarshal([]byte(w.diagnose(t, args...)), &judged); err != nil {
		t.Fatal(err)
	}
	told, still := false, false
	for _, f := range judged.Findings {
		switch f.Cause {
		case "no-fault-transient":
			told = told || strings.Contains(f.Summary, "the API server") && strings.Contains(f.Summary, program)
		case "apiserver-unreachable":
			still = true
		case "cni-binary-missing":
			t.Fatalf("diagnose %q takes what was for what is: %+v", args, f)
		}
	}
	if !told || still {
		t.Logf("diagnose %q finds %+v", args, judged.Findings)
	}
	return told && !still
}

// answer reports whether the API server sent that answer to the node.
func answer(r *report, want string) bool { return answered(r, "api-server", want) }

func answered(r *report, peer, want string) bool {
	for _, c := range r.Connections {
		if c.Peer == peer {
			return c.Answer == want
		}
	}
	return false
}
