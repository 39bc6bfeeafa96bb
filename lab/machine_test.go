//go:build linux

package lab_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
)

// machinePlane starts a control plane for real nodes, or skips the test if the host does not support them.
func machinePlane(t *testing.T) *lab.ControlPlane {
	t.Helper()
	if err := lab.CanRunMachines(); err != nil {
		t.Skip(err)
	}
	c, err := lab.Start(t.Context(), lab.Options{Machines: true, Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	return c
}

// A real node runs a pod, answers the API server through the network of the machines, and leaves nothing behind.
func TestMachine(t *testing.T) {
	c := machinePlane(t)
	begin := time.Now()
	m, err := c.AddMachine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("Ready after %s", time.Since(begin).Round(time.Millisecond))
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	grace := int64(2)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Spec: corev1.PodSpec{
		TerminationGracePeriodSeconds: &grace, Containers: []corev1.Container{{Name: "app", Image: lab.Image}},
	}}
	if _, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	var last *corev1.Pod
	eventually(t, 3*time.Minute, "the pod is ready", func(ctx context.Context) bool {
		last, err = client.CoreV1().Pods("default").Get(ctx, "one", metav1.GetOptions{})
		return err == nil && slices.ContainsFunc(last.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodReady && c.Status == "True" })
	})
	t.Logf("pod ready %s after the start, address %s", time.Since(begin).Round(time.Millisecond), last.Status.PodIP)
	answer, err := client.CoreV1().RESTClient().Get().AbsPath("/api/v1/nodes/" + m.Name + "/proxy/healthz").DoRaw(t.Context())
	if err != nil || string(answer) != "ok" {
		t.Errorf("the kubelet said %q, %v", answer, err)
	}
	r := answered(func() result {
		r := triage(t, c.Kubeconfig)
		if r.code == problem {
			t.Errorf("a healthy node: %s %+v", r, r.Findings)
		}
		return r
	})
	if r.code != 0 && r.code != problem {
		t.Errorf("a healthy node: %s", r)
	}
	c.Stop()
	mounts, err := os.ReadFile("/proc/mounts")
	if err != nil || strings.Contains(string(mounts), c.Dir) {
		t.Errorf("mounts are left: %v", err)
	}
	if left := processesOf(t, c.Dir); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
	if _, err := os.Stat(c.Dir); err == nil {
		t.Errorf("%s is still there", c.Dir)
	}
	mine := fmt.Sprintf("nodetriage-lab-%d-%s", os.Getpid(), filepath.Base(c.Dir))
	for _, pattern := range []string{"/sys/fs/cgroup/", "/sys/fs/cgroup/*/"} {
		if left, _ := filepath.Glob(pattern + mine + "*"); len(left) > 0 {
			t.Errorf("control groups are left: %q", left)
		}
	}
}

// processesOf returns the command lines of processes that name the folder.
func processesOf(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && bytes.Contains(line, []byte(dir)) {
			out = append(out, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return out
}
