//go:build unix

package upgradegate

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/lab"
)

// The program shows the monitors of a cluster, and after an upgrade was stopped, who stopped it.
func TestProgram(t *testing.T) {
	program, err := lab.BuildOwn("../../cmd/nodetriage", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names, err := plane.AddHollow(t.Context(), 2, map[string]string{"kubernetes.azure.com/agentpool": "shown"})
	if err != nil {
		t.Fatal(err)
	}
	nodes := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "nodes"})
	for i, name := range names {
		id := fmt.Sprintf(`{"spec": {"providerID": "azure:///subscriptions/0/resourceGroups/mc_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-shown-12345678-vmss/virtualMachines/%d"}}`, i)
		if _, err := nodes.Patch(t.Context(), name, types.MergePatchType, []byte(id), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	shows := func(args string, want ...string) {
		t.Helper()
		cmd := exec.Command(program, append(strings.Fields(args), "--kubeconfig", plane.Kubeconfig)...)
		out, _ := cmd.Output() // the exit code is that of the findings
		flat := strings.Join(strings.Fields(string(out)), " ")
		for _, w := range want {
			if !strings.Contains(flat, w) {
				t.Errorf("%s does not show %q:\n%s", args, w, out)
			}
		}
	}
	policy(t, "one", "one.example.com", "shown 90s")
	shows("check -o wide", "upgrade-gates", "one.example.com can add up to 3m to an upgrade (2 nodes, 90s each)")
	shows("upgrade shown --plan -o wide", "health monitor one.example.com", "3m (2 nodes, 90s each)")

	asker, err := NewAsker(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("stopped-%d", time.Now().UnixNano())
	speak(t, name, []speaks{{label: "one.example.com", scope: "Node", status: "False"}})
	got, err := asker.Run(t.Context(), Upgrade{Name: name, Pool: "shown", Nodes: names[:1], Keep: true})
	if err != nil || !got.Aborted {
		t.Fatalf("%+v, %v", got, err)
	}
	shows("diagnose", "upgrade-gate-refused", "one.example.com")
}
