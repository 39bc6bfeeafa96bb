package azure_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// hostOf returns the node name of an instance ID.
func hostOf(number int) string {
	return fmt.Sprintf("aks-np1-12345678-vmss%06s", strconv.FormatInt(int64(number), 36))
}

// instance returns the properties of a VM of the scenario.
func instance(s *azure.Scenario, number int) map[string]any {
	return s.Resources[fmt.Sprintf("%s/virtualMachines/%d", machines, number)]["properties"].(map[string]any)
}

// many gives the pool that many VMs that are nodes.
func many(s *azure.Scenario, count int) {
	for i := 3; i < count; i++ {
		number := strconv.Itoa(i)
		vm := maps.Clone(s.Resources[machines+"/virtualMachines/0"])
		p := maps.Clone(vm["properties"].(map[string]any))
		p["osProfile"] = map[string]any{"computerName": hostOf(i)}
		vm["name"], vm["instanceId"], vm["properties"] = "aks-np1-12345678-vmss_"+number, number, p
		s.Resources[machines+"/virtualMachines/"+number] = vm
		s.Nodes[number] = &azure.Node{Name: hostOf(i)}
	}
	s.Resources[poolID]["properties"].(map[string]any)["count"] = count
	s.Resources[machines]["sku"].(map[string]any)["capacity"] = count
}

// ended is the last line of repair --apply -o json.
type ended struct {
	Kind, Verdict, Why string
	Changed, Verified  bool
	Checked            struct {
		Nodes, Others  int
		Closely, Steps []string
		Unseen         string
	}
	Verifications []struct{ Node, Verdict string }
}

// end decodes the result of a repair.
func end(t *testing.T, out string) ended {
	t.Helper()
	for _, line := range slices.Backward(strings.Split(out, "\n")) {
		var e ended
		if json.Unmarshal([]byte(line), &e) == nil && e.Kind == "RepairResult" {
			return e
		}
	}
	t.Fatalf("no result in:\n%s", out)
	return ended{}
}

// A change of a pool affects all of its nodes. Each node is checked, and the result shows in how much detail. One
// unhealthy node prevents the verdict clear, at any position in the list.
func TestRepairProvesAllNodes(t *testing.T) {
	for name, test := range map[string]struct {
		change  func(*azure.Scenario)
		args    []string
		code    int
		verdict string
		closely int
		why     string
	}{
		"all are well":                  {nil, []string{"reconcile", "np1"}, 0, "clear", 0, ""},
		"all of the cluster are well":   {nil, []string{"reconcile", "cluster"}, 0, "clear", 0, ""},
		"the last has a failed machine": {func(s *azure.Scenario) { instance(s, 13)["provisioningState"] = "Canceled" }, []string{"reconcile", "np1", "--verify-timeout", "20s"}, 3, "not-clear", 1, "node " + hostOf(13) + ": VM: its state in the cloud is Canceled"},
		"the agent of the last is silent": {func(s *azure.Scenario) {
			instance(s, 13)["instanceView"] = map[string]any{"vmAgent": map[string]any{"statuses": []any{map[string]any{"code": "ProvisioningState/Unavailable", "displayStatus": "Not Ready"}}},
				"statuses": []any{map[string]any{"code": "ProvisioningState/succeeded"}, map[string]any{"code": "PowerState/running"}}}
		}, []string{"reconcile", "np1", "--verify-timeout", "20s"}, 3, "not-clear", 1, "node " + hostOf(13) + ": VM: its VM agent is Not Ready"},
		"the last is under pressure": {func(s *azure.Scenario) {
			s.Nodes["13"].Conditions = []any{map[string]any{"type": "FilesystemCorruptionProblem", "status": "Unknown", "reason": "NoWord"}}
		}, []string{"reconcile", "np1"}, 5, "unknown", 0, "node " + hostOf(13) + ": conditions: not reported: FilesystemCorruptionProblem"},
		"more get an image than are looked at closely": {func(s *azure.Scenario) {
			s.Resources[poolID+"/upgradeProfiles/default"] = map[string]any{"properties": map[string]any{"latestNodeImageVersion": newImage}}
		}, []string{"upgrade-image", "np1"}, 5, "unknown", 10, "journal: no log of this node was read"},
	} {
		t.Run(name, func(t *testing.T) {
			b := repairable(t, "healthy", func(s *azure.Scenario) {
				many(s, 14)
				if test.change != nil {
					test.change(s)
				}
			})
			code, out := b.apply(append(test.args, "-o", "json")...)
			e := end(t, out)
			if code != test.code || e.Verdict != test.verdict || e.Verified != (code == 0) || !strings.Contains(e.Why, test.why) {
				t.Errorf("exit code %d, %+v:\n%s", code, e, out)
			}
			c := e.Checked
			if c.Nodes != 14 || len(c.Closely) != test.closely || c.Others != 14-test.closely || !slices.Contains(c.Steps, "machine") || !slices.Contains(c.Steps, "rules") || c.Unseen != "" {
				t.Errorf("looked at %+v", c)
			}
			if code != 0 && len(e.Verifications) == 0 {
				t.Error("the node is not told")
			}
		})
	}
}

// If not all VMs of a pool can be read, the counts of its scale set verify the change.
func TestRepairProvesABigPool(t *testing.T) {
	for name, test := range map[string]struct {
		failed int
		args   []string
		code   int
		nodes  int // checked in detail: none if the earlier findings remain
		why    string
	}{
		"all are well": {-1, nil, 0, 1000, ""}, "one failed": {700, []string{"--verify-timeout", "1s"}, 3, 0, "still found: cloud-vm-failed: 1 of the 1000 VMs of scale set aks-np1-12345678-vmss failed"},
	} {
		t.Run(name, func(t *testing.T) {
			b := repairable(t, "healthy", func(s *azure.Scenario) {
				many(s, 1000)
				if test.failed >= 0 {
					instance(s, test.failed)["provisioningState"] = "Failed"
				}
			})
			code, out := b.apply(append([]string{"reconcile", "np1", "-o", "json"}, test.args...)...)
			e := end(t, out)
			if code != test.code || e.Verified != (code == 0) || !strings.Contains(e.Why, test.why) || e.Checked.Nodes != test.nodes || e.Checked.Unseen != "" {
				t.Errorf("exit code %d, %s, %s, %d nodes, unseen %q", code, e.Verdict, e.Why, e.Checked.Nodes, e.Checked.Unseen)
			}
			if slices.ContainsFunc(b.e.Audit(), func(r azure.Request) bool { return strings.HasSuffix(r.Path, "-vmss/virtualMachines") }) {
				t.Error("all machines were listed")
			}
		})
	}
}

// The text also shows how many nodes were checked, and how.
func TestRepairSaysWhatItLookedAt(t *testing.T) {
	b := repairable(t, "healthy", failedPool)
	code, out := b.apply("reconcile", "np1")
	if flat := strings.Join(strings.Fields(out), " "); code != 0 || !strings.Contains(flat, "checked 3 nodes: 0 with kubelet, log and pods, 3 only by ready, conditions, taints, lease, machine, pool, rules") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}
