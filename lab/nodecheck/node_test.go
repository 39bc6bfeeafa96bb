//go:build linux

package nodecheck_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
)

// elsewhere is not below /tmp, because one of the tests hides /tmp.
const elsewhere = "/var/tmp"

var (
	program string
	plane   *lab.ControlPlane
	node    *lab.Machine // shared by all tests: each leaves it unchanged
)

func TestMain(m *testing.M) {
	err := lab.CanRunMachines()
	if _, missing := exec.LookPath("strace"); err == nil && missing != nil {
		err = fmt.Errorf("what node-check does to a node is seen with the Debian package strace: %w", missing)
	}
	if err != nil {
		fmt.Println("skipped:", err)
		return
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// run builds the program, starts a node with a pod, so that there is a shim, and runs the tests.
func run(m *testing.M) (int, error) {
	ctx := context.Background()
	dir, err := os.MkdirTemp(elsewhere, "nodetriage-nodecheck-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if program, err = lab.BuildOwn("../../cmd/nodetriage", dir); err != nil {
		return 0, err
	}
	if _, err := lab.BuildNode(ctx, os.Stderr); err != nil {
		return 0, err
	}
	if plane, err = lab.Start(ctx, lab.Options{Machines: true, Log: os.Stderr}); err != nil {
		return 0, err
	}
	defer plane.Stop()
	client, err := plane.Client()
	if err != nil {
		return 0, err
	}
	if err := plane.NodesReadMetrics(ctx); err != nil {
		return 0, err
	}
	if node, err = plane.AddMachine(ctx); err != nil {
		return 0, err
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "resident"}, Spec: corev1.PodSpec{
		NodeName: node.Name, Containers: []corev1.Container{{Name: "app", Image: lab.Image}},
	}}
	if _, err := client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return 0, err
	}
	for end := time.Now().Add(5 * time.Minute); pod.Status.Phase != corev1.PodRunning; time.Sleep(time.Second) {
		if pod, err = client.CoreV1().Pods(metav1.NamespaceDefault).Get(ctx, pod.Name, metav1.GetOptions{}); err != nil {
			return 0, err
		} else if time.Now().After(end) {
			return 0, fmt.Errorf("pod %s does not start", pod.Name)
		}
	}
	if err := still(ctx); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// still waits until kubelet and runtime have finished the start of a pod and write nothing more.
func still(ctx context.Context) error {
	var before []string
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Second) {
		now, err := files(ctx)
		if err == nil && before != nil && slices.Equal(now, before) {
			return nil
		}
		before = now // nil if a file disappeared during the walk
	}
	return errors.New("the files of the node are never still")
}

// report contains the checked fields of a node report.
type report struct {
	Kind        string
	Filesystems []struct {
		Mount            string
		Bytes, BytesFree uint64
		BytesUsedPercent int
		Holds            []string
	}
	Runtime struct {
		Answer, Message, Ref string
		Latency              time.Duration
	}
	Tasks       struct{ Current, Max int }
	Connections []struct {
		Peer, Answer string
		Status       int
	}
	Hung   []struct{ What, Name string }
	Egress []egress
	Gaps   []struct{ What, Why string }

	text []byte
}

// within is the maximum duration of node-check, also on a busy machine: its slowest probe has 20 s.
const within = 2 * time.Minute

// look runs node-check on the node with the given prefix, decodes its output, and checks that it changed nothing.
func look(t *testing.T, before ...string) report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	calls := filepath.Join(filepath.Dir(program), "calls")
	args := append([]string{"strace", "-f", "--seccomp-bpf", "-o", calls, "-e", "trace=" + strings.Join(changing, ",")}, before...)
	was := stateOf(t)
	begin := time.Now()
	out, err := node.Run(ctx, append(args, node.NodeCheck(program)...)...) // the exit code is the verdict
	took := time.Since(begin)
	was.compare(t, stateOf(t))
	changedNothing(t, calls)
	var r report
	r.text = []byte(out)
	if decode := json.Unmarshal(r.text, &r); decode != nil || r.Kind != "NodeReport" {
		t.Fatalf("after %s: %v: %v", took, decode, err)
	}
	t.Logf("after %s: %d gaps, %d hung", took.Round(time.Millisecond), len(r.Gaps), len(r.Hung))
	return r
}

// on runs a command on the node.
func on(t *testing.T, args ...string) string {
	t.Helper()
	out, err := node.Run(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// verdict returns the first finding of the rules for the output of node-check.
func (r report) verdict(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(program, "diagnose", "-o", "json", "-")
	cmd.Stdin = bytes.NewReader(r.text)
	out, _ := cmd.Output() // the exit code is the verdict
	var judged struct{ Findings []struct{ Cause string } }
	if err := json.Unmarshal(out, &judged); err != nil || len(judged.Findings) == 0 {
		t.Fatalf("%v: %.300s", err, out)
	}
	return judged.Findings[0].Cause
}
