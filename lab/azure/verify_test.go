package azure_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// verification contains the checked fields of a Verification.
type verification struct {
	Kind, Verdict string
	Steps         []struct{ ID, Result, Detail, How string }
}

func (v *verification) step(id string) (result, detail string) {
	for _, s := range v.Steps {
		if s.ID == id {
			return s.Result, s.Detail
		}
	}
	return "", ""
}

// verifyNode runs the built program.
func verifyNode(t *testing.T, args ...string) (int, verification) {
	t.Helper()
	cmd := exec.Command(program, append([]string{"verify", "-o", "json"}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "KUBECONFIG=")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code is the verdict
	var v verification
	if err := json.Unmarshal(out.Bytes(), &v); err != nil || v.Kind != "Verification" {
		t.Fatalf("verify: %v: %s%s", err, out.String(), errs.String())
	}
	return cmd.ProcessState.ExitCode(), v
}

// verify also checks the VM and the pool of an AKS node, and changes nothing.
func TestVerifyLooksAtAzure(t *testing.T) {
	for scenario, test := range map[string]struct {
		node                     string
		machine, machineSays     string
		pool, poolSays, notClear string
	}{
		"healthy":            {node2, "clear", "latest model", "clear", "has the specified number of nodes", ""},
		"disk-detach":        {node2, "not-clear", "Failed", "clear", "", "machine"},
		"agent-dead":         {node2, "not-clear", "its VM agent is Not Ready", "clear", "", "machine"},
		"spot-evicted":       {node2, "not-clear", "it is deallocated", "clear", "", "machine"},
		"machines-pool":      {"aks-np1-12345678-vms2", "not-clear", "it is stopped", "clear", "", "machine"},
		"availability-set":   {"aks-np1-12345678-2", "not-clear", "Failed", "", "", "machine"},
		"count-differs":      {node2, "clear", "", "warning", "pool np1 specifies 5 nodes, but its scale set has 3 VMs", ""},
		"image-mixed":        {node2, "clear", "", "warning", "the node has image AKSUbuntu-2204gen2containerd-202605.18.0, but the pool has AKSUbuntu-2204gen2containerd-202606.01.0", ""},
		"subnet-full":        {node2, "clear", "", "not-clear", "pool np1 is Failed: SubnetIsFull", "pool"},
		"pending-operation":  {node2, "clear", "", "unknown", "pool np1 is Updating", ""},
		"bootstrap-outbound": {hostOf(0), "clear", "", "not-clear", "pool np1 is Failed", "pool"},
	} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			now := time.Now()
			s, err := azure.Load(scenario, now)
			if err != nil {
				t.Fatal(err)
			}
			e := azure.Start(&s.State)
			defer e.Close()
			c := follow(t, e, s.Cluster(now))
			code, v := verifyNode(t, test.node, "--kubeconfig", c.kubeconfig, "--azure-endpoint", e.URL)
			if result, says := v.step("machine"); test.machine != "" && result != test.machine || !strings.Contains(says, test.machineSays) {
				t.Errorf("machine: %s: %s", result, says)
			}
			if result, says := v.step("pool"); result != test.pool || !strings.Contains(says, test.poolSays) {
				t.Errorf("pool: %s: %s", result, says)
			}
			if test.notClear != "" && (code != 3 || v.Verdict != "not-clear") {
				t.Errorf("exit code %d, %s", code, v.Verdict)
			}
			audit(t, e.Audit(), c.changed)
		})
	}
}

// Without an Azure login, the Azure steps and the verdict are unknown. Steps that were not checked never make the
// verdict clear. A cluster outside Azure does not have these steps.
func TestVerifyWithoutLogin(t *testing.T) {
	for _, test := range []struct{ name, provider, machine string }{
		{"on AKS", "", "unknown"}, {"elsewhere", "kind://docker/kind/worker", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			now := time.Now()
			s, err := azure.Load("healthy", now)
			if err != nil {
				t.Fatal(err)
			}
			s.Nodes["2"].ProviderID = test.provider
			e := azure.Start(&s.State)
			defer e.Close()
			c := follow(t, e, s.Cluster(now))
			code, v := verifyNode(t, node2, "--kubeconfig", c.kubeconfig)
			result, says := v.step("machine")
			if result != test.machine || result != "" && !strings.Contains(says, "not logged in to Azure") || code != 5 { // these nodes have no readable log
				t.Errorf("exit code %d, machine %s: %s", code, result, says)
			}
			if len(e.Audit()) > 0 {
				t.Error("the emulator was asked")
			}
		})
	}
}
