//go:build linux

package screens_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// Screens of a cluster with real nodes: first healthy, then with a pending pod and a node that cannot be drained, and then
// with six nodes that are broken in different ways.
func TestNodes(t *testing.T) {
	if err := lab.CanRunMachines(); err != nil {
		t.Skip(err)
	}
	t.Parallel()
	u := user{program: built(t), home: t.TempDir()}
	c := newCluster(t)
	u.kubeconfig = c.plane.Kubeconfig
	for _, s := range []struct {
		before func(*testing.T) error
		shot
	}{
		{func(t *testing.T) error { return c.calm(t.Context()) }, shot{name: "healthy", args: []string{"diagnose"},
			verdict: "HEALTHY", impact: "No workload is down or degraded (7 checked); all 7 pods are ready"}},
		{func(t *testing.T) error { return c.pending(t.Context()) }, shot{name: "pod-pending", args: []string{"why", "deploy/report", "-n", namespace},
			verdict: "STUCK deployment shop/report", impact: "0/1 pods healthy", cause: "fits on no node (8 checked)",
			fix: "kubectl -n shop set resources deployment report -c app --requests=cpu="}},
		{func(t *testing.T) error { return c.guarded(t.Context()) }, shot{name: "drain-blocked", args: []string{"drain", drained},
			verdict: "BLOCKED drain of " + drained, impact: "1 pod blocked", cause: "pdb shop/db", fix: "nodetriage drain " + drained + " --surge"}},
	} {
		if err := s.before(t); err != nil {
			t.Fatal(err)
		}
		t.Run(s.name, func(t *testing.T) { s.take(t, u) })
	}
	must(t, "the nodes are registered", func() bool { return c.grown(t.Context()) })
	if err := c.strike(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, s := range []shot{
		{name: "runtime-stopped", args: []string{"diagnose", "real-1"},
			verdict: "BROKEN", impact: "no pod starts or stops on it", cause: "(runtime-down)", fix: "systemctl restart containerd", varies: true},
		{name: "runtime-hung", args: []string{"diagnose", "real-2.json"},
			verdict: "BROKEN", impact: "Impact", cause: "(runtime-hung)", fix: "pkill -CONT -x containerd"},
		{name: "disk-full", args: []string{"diagnose", "real-3"},
			verdict: "BROKEN", impact: "shop/on-real-3 0/1 down", cause: "(disk-pressure)", fix: "du -xsm /var/lib/kubelet/pods/* | sort -n | tail -5", choice: "<big-namespace>", varies: true},
		{name: "certificate-expired", args: []string{"diagnose", "real-4.json"},
			verdict: "BROKEN", impact: "Impact", cause: "(kubelet-client-cert-expired)", fix: "kubectl get csr", choice: "<csr>"},
		{name: "cni-missing", args: []string{"diagnose", "real-5"},
			verdict: "BROKEN", impact: "Impact", cause: "(cni-not-installed)", fix: "kubectl get pods -A -o wide --field-selector spec.nodeName=real-5"},
		{name: "kubelet-stopped", args: []string{"diagnose", "real-6"},
			verdict: "BROKEN", impact: "shop/on-real-6 0/1 ready (containers may still run)", cause: "(kubelet-stopped)", fix: "systemctl enable --now kubelet"},
		{name: "cni-missing-verified", args: []string{"verify", "real-5"},
			verdict: "FAILED", impact: "1 running and ready", cause: "(cni-not-installed)", fix: "nodetriage diagnose real-5"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			if node := reported[s.name]; node != "" {
				c.report(t, u, node)
			}
			s.take(t, u)
		})
	}
}

// reported maps screens to the node whose report from node-check they show: only the node has the evidence.
var reported = map[string]string{"runtime-hung": "real-2", "certificate-expired": "real-4"}

// report saves the report of node-check on the node in the folder of the user.
func (c *cluster) report(t *testing.T, u user, node string) {
	t.Helper()
	text, err := c.plane.Machine(node).Report(t.Context(), u.program)
	if err == nil {
		err = os.WriteFile(filepath.Join(u.home, node+".json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// must waits until a condition is true.
func must(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", patience, what)
		}
	}
}
