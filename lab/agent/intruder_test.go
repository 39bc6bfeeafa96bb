//go:build linux

package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
)

// intruderImage is the image of the program that tries the rights of the agent.
const intruderImage = "nodetriage-intruder:latest"

// column is the manifest without changes, or with one of the capabilities in its comments.
type column struct {
	name string
	adds corev1.Capability
}

var allColumns = []column{{"default", ""}, {"ptrace", "SYS_PTRACE"}, {"readAll", "DAC_READ_SEARCH"}, {"netAdmin", "NET_ADMIN"}}

// mayBeAbsent lists attempts whose target does not exist on every node of the lab.
var mayBeAbsent = []string{"systemd-start-unit", "write-sysrq", "open-memory"}

// documented returns the table of SECURITY.md: the results by attempt, in the order of the columns.
func documented(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := bytes.Cut(text, []byte("| attempt | default | ptrace | readAll | netAdmin |"))
	if !ok {
		t.Fatal("SECURITY.md has no table of attempts with these columns")
	}
	table, _, _ = bytes.Cut(table, []byte("\n\n"))
	out := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (works|refused) \\| (works|refused) \\| (works|refused) \\| (works|refused) \\| [^|]+ \\|$").FindAllSubmatch(table, -1) {
		for _, cell := range row[2:] {
			out[string(row[1])] = append(out[string(row[1])], string(cell))
		}
	}
	if rows := bytes.Count(table, []byte("\n| `")); rows != len(out) {
		t.Errorf("%d of %d rows of the table can be read", len(out), rows)
	}
	return out
}

// intrude compares the attempts of an intruder with the rights of the manifest with the table, row by row and column by
// column.
func (w *world) intrude(t *testing.T, namespace string, spec corev1.PodSpec, columns ...column) {
	t.Helper()
	table := documented(t)
	w.victims(t, namespace)
	for _, c := range columns {
		answers := w.tried(t, namespace, c.name, spec, c.adds)
		for id, row := range table {
			got, tried := answers[id]
			want := row[slices.Index(allColumns, c)]
			switch {
			case got.Absent && slices.Contains(mayBeAbsent, id) && !(w.machine.Systemd() && id == "systemd-start-unit"):
				t.Logf("%s: not shown here: %s", id, got.Why)
			case got.Absent:
				t.Errorf("%s, %s: there is nothing to try it on: %s", c.name, id, got.Why)
			case !tried:
				t.Errorf("nobody tries %s", id)
			case got.verdict() != want:
				t.Errorf("%s, %s: SECURITY.md says %s, the attempt %s: %s", c.name, id, want, got.verdict(), got.Why)
			}
		}
		for id := range answers {
			if table[id] == nil {
				t.Errorf("%s is not in SECURITY.md", id)
			}
		}
	}
}

// attempted is the result of one attempt.
type attempted struct {
	ID     string
	Worked bool
	Absent bool
	Why    string
}

func (a attempted) verdict() string {
	if a.Worked {
		return "works"
	}
	return "refused"
}

// victims creates the targets of the intruder: files of several users, mounts, processes, and a pod with a Secret.
func (w *world) victims(t *testing.T, namespace string) {
	t.Helper()
	spec := lab.ImageSpec{
		Name: "docker.io/library/" + intruderImage, Entrypoint: []string{"/intruder"},
		Programs: map[string]string{"intruder": built(t, "intruder", w.bin)},
	}
	if err := w.machine.AddImage(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	w.shell(t, `set -e
cd /var/log
for file in others adm victim; do echo text > $file; chmod 600 $file; done
chown 104 others; chown 104:4 adm; chmod 640 adm
mkdir -p /var/lib/volume /var/lib/late
mount -t tmpfs tmpfs /var/lib/volume`)
	for program, as := range map[string][]string{"victim-of-root": nil, "victim-of-other": {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}} {
		cmd := w.machine.Command(t.Context(), append(as, "bash", "-c", "exec -a "+program+" sleep 3000")...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		go func() { _ = cmd.Wait() }() // ends with its node
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "of-victim"}, StringData: map[string]string{"password": "text"}}
	if _, err := w.client.CoreV1().Secrets(namespace).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	no := false
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "victim"}, Spec: corev1.PodSpec{
		NodeName: w.machine.Name, AutomountServiceAccountToken: &no,
		Containers: []corev1.Container{{
			Name: "victim", Image: lab.Image, ImagePullPolicy: corev1.PullNever, VolumeMounts: []corev1.VolumeMount{{Name: "secret", MountPath: "/secret"}},
		}},
		Volumes: []corev1.Volume{{Name: "secret", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "of-victim"}}}},
	}}
	if _, err := w.client.CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.phase(t, namespace, "victim", corev1.PodRunning)
}

// tried runs the intruder in the pod of the manifest, with one more capability, and mounts a file system meanwhile.
func (w *world) tried(t *testing.T, namespace, name string, spec corev1.PodSpec, adds corev1.Capability) map[string]attempted {
	t.Helper()
	spec = *spec.DeepCopy()
	spec.NodeName, spec.RestartPolicy = w.machine.Name, corev1.RestartPolicyNever
	c := &spec.Containers[0]
	c.Image, c.ImagePullPolicy, c.Args, c.LivenessProbe = intruderImage, corev1.PullNever, nil, nil
	if adds != "" {
		c.SecurityContext.Capabilities.Add = append(c.SecurityContext.Capabilities.Add, adds)
	}
	name = "intruder-" + strings.ToLower(name)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: spec}
	pods := w.client.CoreV1().Pods(namespace)
	if _, err := pods.Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.phase(t, namespace, name, corev1.PodRunning)
	w.shell(t, "mount -t tmpfs tmpfs /var/lib/late; touch /var/lib/late/mounted /var/log/go")
	w.phase(t, namespace, name, corev1.PodSucceeded)
	w.shell(t, "rm /var/log/go; umount /var/lib/late")
	text, err := pods.GetLogs(name, &corev1.PodLogOptions{}).DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]attempted{}
	for line := range bytes.Lines(text) {
		var a attempted
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatalf("%v: %.300s", err, line)
		}
		t.Logf("%s: %s %s %s", name, a.ID, a.verdict(), a.Why)
		out[a.ID] = a
	}
	return out
}

func (w *world) phase(t *testing.T, namespace, name string, want corev1.PodPhase) {
	t.Helper()
	defer func() {
		if t.Failed() {
			w.tell(t, namespace, name)
		}
	}()
	eventually(t, 3*time.Minute, "pod "+name+" is "+string(want), func() bool {
		pod, err := w.client.CoreV1().Pods(namespace).Get(t.Context(), name, metav1.GetOptions{})
		if err == nil && pod.Status.Phase == corev1.PodFailed {
			t.Fatalf("pod %s failed: %+v", name, pod.Status.ContainerStatuses)
		}
		return err == nil && pod.Status.Phase == want
	})
}

// tell logs the state of a pod.
func (w *world) tell(t *testing.T, namespace, name string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	if pod, err := w.client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{}); err == nil {
		t.Logf("pod %s: %s %+v", name, pod.Status.Phase, pod.Status.ContainerStatuses)
	}
	events, err := w.client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=" + name})
	if err != nil {
		t.Log(err)
		return
	}
	for _, e := range events.Items {
		t.Logf("event %s: %s", e.Reason, e.Message)
	}
}

// built builds a program in this folder.
func built(t *testing.T, name, dir string) string {
	t.Helper()
	if _, err := lab.BuildOwn(name, dir); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}
