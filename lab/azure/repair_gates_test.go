package azure_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// gate is a gate in a plan.
type gate struct{ Name, State, Why, How string }

// planned contains the checked fields of a RepairPlan: the first line of --apply -o json.
func planned(t *testing.T, out string) (verdict, command string, gates map[string]gate) {
	t.Helper()
	var p struct {
		Kind, Verdict string
		Request       struct{ Command string }
		Gates         []gate
	}
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&p); err != nil || p.Kind != "RepairPlan" {
		t.Fatalf("%v:\n%s", err, out)
	}
	gates = map[string]gate{}
	for _, g := range p.Gates {
		gates[g.Name] = g
	}
	return p.Verdict, p.Request.Command, gates
}

// lockOn adds a lock to a scope.
func lockOn(scope, level string) func(*azure.Scenario) {
	return func(s *azure.Scenario) {
		s.Resources[scope+"/providers/Microsoft.Authorization/locks/keep"] = map[string]any{"type": "Microsoft.Authorization/locks", "properties": map[string]any{"level": level}}
	}
}

// fault makes every request that contains the text fail with a missing permission.
func unreadable(match string) func(*azure.Scenario) {
	return func(s *azure.Scenario) {
		s.Faults = append(s.Faults, &azure.Fault{Match: match, Status: 403, Code: "AuthorizationFailed", Message: "may not"})
	}
}

// Conditions that only look like a hindrance do not refuse.
func TestRepairGatesLetPass(t *testing.T) {
	properties := func(s *azure.Scenario, id string) map[string]any {
		return s.Resources[id]["properties"].(map[string]any)
	}
	for name, test := range map[string]struct {
		change func(*azure.Scenario)
		args   []string
		gate   string
		state  string
	}{
		"counts under an autoscaler": {func(s *azure.Scenario) {
			properties(s, poolID)["enableAutoScaling"], properties(s, poolID)["count"] = true, 5
		}, []string{"reconcile", "np1"}, "counts", "passed"},
		"a deletion lock and one machine": {lockOn(subscription+"/resourceGroups/MC_rg_aks_region", "CanNotDelete"), []string{"refresh", node2}, "lock", "passed"},
		"a lock elsewhere":                {lockOn(subscription+"/resourceGroups/other", "ReadOnly"), []string{"reconcile", "np1"}, "lock", "passed"},
		"rights that cannot be read":      {unreadable("/permissions"), []string{"reconcile", "np1"}, "rights", "deferred"},
		"one of three nodes is not well":  {stopped, []string{"start", node2}, "pool-health", "passed"},
		"a system pool with another node": {func(s *azure.Scenario) { closed(s); properties(s, poolID)["mode"] = "System" }, []string{"restart", node2}, "system-pool", "passed"},
		"a harm that is taken":            {nil, []string{"restart", node2, "--accept", "drained"}, "drained", "accepted"},
		"an old event of auto-repair": {func(s *azure.Scenario) {
			at := time.Now().Add(-30 * time.Minute).UTC().Format(time.RFC3339)
			s.Objects = append(s.Objects, map[string]any{
				"apiVersion": "v1", "kind": "Event", "metadata": map[string]any{"name": "e", "namespace": "default"}, "type": "Normal", "reason": "NodeRebootStart", "message": "reboot", "count": 1,
				"involvedObject": map[string]any{"kind": "Node", "name": node2}, "firstTimestamp": at, "lastTimestamp": at,
			})
		}, []string{"refresh", node2}, "auto-repair", "passed"},
	} {
		t.Run(name, func(t *testing.T) {
			b := repairable(t, "healthy", test.change)
			code, out := b.repair(append(test.args, "-o", "json")...)
			verdict, _, gates := planned(t, out)
			if g := gates[test.gate]; g.State != test.state || code != 0 || verdict != "clear" {
				t.Errorf("exit code %d, %s, gate %s: %+v", code, verdict, test.gate, g)
			}
			b.wantChanges()
		})
	}
}

// A change affects one VM, selected by its name. No other object is mistaken for it.
func TestRepairTakesOneMachine(t *testing.T) {
	b := repairable(t, "healthy", closed)
	for _, args := range [][]string{
		{"reimage", node2, hostOf(1)}, {"reimage", "*"}, {"reimage", ""}, {"reimage", node2 + "," + hostOf(1)}, {"reimage", "np1"}, {"delete-machine", "*"}, {"restart"},
	} {
		if code, out := b.apply(args...); code != 2 {
			t.Errorf("%q: exit code %d:\n%s", args, code, out)
		}
	}
	b.wantChanges()
}

// A repair without effect is reported as not clear when the verification times out, and nothing else is tried.
func TestRepairInVain(t *testing.T) {
	b := repairable(t, "reimage-in-vain", closed)
	code, out := b.apply("reimage", node2, "--verify-timeout", "5s")
	if flat := strings.Join(strings.Fields(out), " "); code != 3 || !strings.Contains(flat, "NOT VERIFIED the change is done, and the verification result is failed: node "+node2+" is NotReady") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	b.wantChanges("POST " + machines + "/virtualMachines/2/reimage")
	if b.c.node(node2)["spec"].(map[string]any)["unschedulable"] == nil {
		t.Error("the node was opened although it does not work")
	}
}
