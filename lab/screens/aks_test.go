//go:build linux

package screens_test

import (
	"bufio"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/nodetriage/nodetriage/lab"
)

// azure starts an Azure scenario: a control plane with its nodes, and the emulator.
func azure(t *testing.T, program, scenario string) (kubeconfig, endpoint string) {
	t.Helper()
	cmd := exec.Command(program, "run", "--azure", scenario)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for endpoint == "" && lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "export KUBECONFIG="); ok {
			kubeconfig = rest
		}
		if rest, ok := strings.CutPrefix(lines.Text(), "nodetriage diagnose --azure-endpoint "); ok {
			endpoint = rest
		}
	}
	if endpoint == "" {
		t.Fatalf("lab run --azure %s ended: %v", scenario, lines.Err())
	}
	return kubeconfig, endpoint
}

// Screens of an AKS cluster whose pool has failed, because its subnet is full.
func TestAKS(t *testing.T) {
	t.Parallel()
	u := user{program: built(t), home: t.TempDir()}
	tool, err := lab.BuildOwn("../cmd/lab", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	u.kubeconfig, u.endpoint = azure(t, tool, "subnet-full")
	for _, s := range []shot{
		{name: "aks-pool-failed", args: []string{"diagnose"}, choice: "<idle-pool>",
			verdict: "BROKEN", impact: "Impact Pool np1", cause: "(cloud-subnet-full)", fix: "FIX"},
		{name: "aks-upgrade", args: []string{"upgrade", "np1"},
			verdict: "BLOCKED upgrade of pool np1", impact: "does not begin", cause: "1 address (0 left)", fix: "nodetriage upgrade np1 --surge 0 --max-unavailable 1"},
	} {
		t.Run(s.name, func(t *testing.T) { s.take(t, u) })
	}
}
