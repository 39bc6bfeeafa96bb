package azure_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

const (
	subscription = "/subscriptions/00000000-0000-0000-0000-000000000001"
	clusterID    = subscription + "/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks"
	poolID       = clusterID + "/agentPools/np1"
	machines     = subscription + "/resourceGroups/MC_rg_aks_region/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-12345678-vmss"
	node2        = "aks-np1-12345678-vmss000002"
)

// bench is a scenario that can be repaired.
type bench struct {
	t     *testing.T
	s     *azure.Scenario
	e     *azure.Emulator
	c     *cluster
	state string
}

// repairable starts a scenario; change, if set, modifies it first.
func repairable(t *testing.T, name string, change func(*azure.Scenario)) *bench {
	t.Helper()
	t.Parallel()
	now := time.Now()
	s, err := azure.Load(name, now)
	if err != nil {
		t.Fatal(err)
	}
	s.Polls = 2
	if change != nil {
		change(s)
	}
	b := &bench{t: t, s: s, e: azure.Start(&s.State), state: t.TempDir()}
	t.Cleanup(b.e.Close)
	b.c = follow(t, b.e, s.Cluster(now))
	b.c.stay(s)
	return b
}

func (b *bench) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	args = append([]string{"repair", "--kubeconfig", b.c.kubeconfig, "--azure-endpoint", b.e.URL, "--state", b.state, "--verify-timeout", "3m"}, args...)
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME="+b.state, "KUBECONFIG=", "COLUMNS=80")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

// repair runs the built program and returns its exit code and output.
func (b *bench) repair(args ...string) (int, string) {
	b.t.Helper()
	cmd, out := b.command(args...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.t.Fatalf("repair: %v", err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// apply runs the built program until its change has ended.
func (b *bench) apply(args ...string) (int, string) {
	b.t.Helper()
	return b.repair(slices.Concat(args, []string{"--apply", "--yes"})...)
}

// changes returns the requests that were not GET.
func (b *bench) changes() []string {
	var out []string
	for _, r := range b.e.Audit() {
		if r.Method != http.MethodGet && !strings.HasSuffix(r.Path, "/queryResults") { // a query that is sent as POST
			out = append(out, r.Method+" "+r.Path)
			if strings.Contains(r.Path, "*") {
				b.t.Errorf("%s %s", r.Method, r.Path)
			}
		}
	}
	return out
}

func (b *bench) wantChanges(want ...string) {
	b.t.Helper()
	got := b.changes()
	if len(got) != len(want) {
		b.t.Fatalf("changes %q, want %q", got, want)
	}
	for i := range want {
		if !strings.EqualFold(got[i], want[i]) {
			b.t.Errorf("change %q, want %q", got[i], want[i])
		}
	}
}

func (b *bench) property(id, name string) any {
	r := b.e.Resource(id)
	if r == nil {
		return nil
	}
	return r["properties"].(map[string]any)[name]
}

// wantProven expects the result of a successful repair. These nodes have no readable log, so verify does not know the
// state of all of them. If no node was changed, nothing is unknown.
func (b *bench) wantProven(code int, out string, node bool) {
	b.t.Helper()
	want, says := 0, "VERIFIED the verification passed"
	if node {
		want, says = 5, "NOT VERIFIED the change is done, and the verification result is unknown: node "
	}
	flat := strings.Join(strings.Fields(out), " ")
	_, end, found := strings.Cut(flat, says)
	if code != want || !found || node && (!strings.Contains(end, "journal: no log of this node was read") || strings.Contains(end, "rules:")) {
		b.t.Errorf("exit code %d, want %d and %q:\n%s", code, want, says, out)
	}
}

// onOneLine is a page without its line breaks, also those that a command is continued over.
func onOneLine(page string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(page, "\\\n", " ")), " ")
}

// A dry run is the default. It changes nothing and shows the request and the az command.
func TestRepairIsDryByDefault(t *testing.T) {
	b := repairable(t, "disk-detach", nil)
	code, out := b.repair("refresh", node2)
	for _, want := range []string{"CLEAR refresh node " + node2, "az vmss update-instances -g MC_rg_aks_region -n aks-np1-12345678-vmss --instance-ids 2", "now Failed running"} {
		if !strings.Contains(onOneLine(out), want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if code != 0 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if lines := strings.Count(out, "\n"); lines > 24 {
		t.Errorf("%d lines are more than a screen:\n%s", lines, out)
	}
	b.wantChanges()
	if _, out := b.repair("refresh", node2, "-o", "wide"); !strings.Contains(onOneLine(out), "is saved before") || !strings.Contains(out, "POST") {
		t.Errorf("the whole page does not say that the evidence is saved before, and what is sent:\n%s", out)
	}
	code, out = b.repair("refresh", node2, "-o", "json")
	var p struct {
		Kind, Verdict, Action, Bundle string
		Request                       struct{ Method, Path, Command, Right string }
		Gates                         []struct{ Name, State, Why string }
	}
	if err := json.Unmarshal([]byte(out), &p); err != nil || code != 0 || p.Kind != "RepairPlan" || p.Verdict != "clear" || p.Action != "refresh" ||
		p.Request.Method != "POST" || !strings.Contains(strings.ToLower(p.Request.Path), "/manualupgrade?api-version=") || len(p.Gates) < 8 || p.Bundle == "" {
		t.Errorf("code %d, %v: %s", code, err, out)
	}
}

// The manual command for adding a pool creates the same pool.
func TestAddPoolByHand(t *testing.T) {
	b := repairable(t, "healthy", func(s *azure.Scenario) {
		p := s.Resources[poolID]["properties"].(map[string]any)
		p["availabilityZones"], p["nodeLabels"], p["podSubnetID"], p["securityProfile"] = []any{"1", "2"}, map[string]any{"team": "shop"}, "/subscriptions/0/pods", map[string]any{"sshAccess": "Disabled"}
	})
	code, out := b.repair("add-pool", "np2", "--like", "np1", "--count", "2")
	for _, want := range []string{"az aks nodepool add -g rg --cluster-name aks -n np2 --node-count 2 --mode User --node-vm-size ", " --max-pods ", " --zones 1 2 ", " --labels team=shop",
		" --pod-subnet-id /subscriptions/0/pods", "without securityProfile.sshAccess"} {
		if !strings.Contains(onOneLine(out), want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if code != 0 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	b.wantChanges()
}

// closed cordons a node as a nodetriage drain does, and deletes its pods.
func closed(s *azure.Scenario) {
	n := s.Nodes["2"]
	if n == nil {
		n = &azure.Node{}
		s.Nodes["2"] = n
	}
	n.Cordoned = time.Now().Add(-time.Minute).UTC().Format(time.RFC3339)
	n.Annotations = map[string]string{"nodetriage.dev/cordoned-by": `{"by":"me","run":"a","host":"h","pid":1,"at":"2026-01-01T00:00:00Z","renewed":"` + time.Now().UTC().Format(time.RFC3339) + `"}`}
}

const newImage = "AKSUbuntu-2204gen2containerd-202606.01.0"

// stopped powers a VM off, from inside or outside.
func stopped(s *azure.Scenario) {
	s.Resources[machines+"/virtualMachines/2"]["properties"].(map[string]any)["instanceView"] = map[string]any{
		"statuses": []any{map[string]any{"code": "ProvisioningState/succeeded"}, map[string]any{"code": "PowerState/stopped"}},
	}
	s.Nodes["2"] = &azure.Node{Ready: "Unknown", Since: time.Now().Add(-20 * time.Minute).UTC().Format(time.RFC3339)}
}

func failedPool(s *azure.Scenario) {
	p := s.Resources[poolID]["properties"].(map[string]any)
	p["provisioningState"], p["status"] = "Failed", map[string]any{"provisioningError": map[string]any{"code": "InternalServerError", "message": "try again"}}
}

// offer is an available change, on a cluster on which it may start.
type offer struct {
	scenario string
	change   func(*azure.Scenario)
	args     []string
	sent     string // the only request that changes something
	check    func(*testing.T, *bench)
}

// nodes reports whether the change ends with nodes that are checked in detail.
func (o *offer) nodes() bool {
	switch verb := o.args[0]; verb {
	case "add-pool", "upgrade-image":
		return true
	case "scale-pool":
		return o.args[3] == "4"
	case "delete-machine":
		return false
	}
	return strings.HasPrefix(o.args[1], "aks-")
}

// offered lists all changes.
var offered = map[string]offer{
	"refresh": {"disk-detach", nil, []string{"refresh", node2}, "POST " + machines + "/manualupgrade", func(t *testing.T, b *bench) {
		if got := b.property(machines+"/virtualMachines/2", "provisioningState"); got != "Succeeded" {
			t.Errorf("the VM is %v", got)
		}
	}},
	"reimage and open": {"agent-dead", closed, []string{"reimage", node2}, "POST " + machines + "/virtualMachines/2/reimage", func(t *testing.T, b *bench) {
		if b.c.node(node2)["spec"].(map[string]any)["unschedulable"] != nil {
			t.Error("the node is not open again")
		}
	}},
	"restart":  {"healthy", closed, []string{"restart", node2}, "POST " + machines + "/virtualMachines/2/restart", nil},
	"redeploy": {"healthy", closed, []string{"redeploy", node2}, "POST " + machines + "/virtualMachines/2/redeploy", nil},
	"start":    {"healthy", stopped, []string{"start", node2}, "POST " + machines + "/virtualMachines/2/start", nil},
	"upgrade image": {"healthy", func(s *azure.Scenario) {
		s.Resources[poolID+"/upgradeProfiles/default"] = map[string]any{"properties": map[string]any{"latestNodeImageVersion": newImage}}
	}, []string{"upgrade-image", "np1"}, "POST " + poolID + "/upgradeNodeImageVersion", func(t *testing.T, b *bench) {
		if got := b.property(poolID, "nodeImageVersion"); got != newImage {
			t.Errorf("the pool has image %v", got)
		}
	}},
	"machine of its own": {"machines-pool", nil, []string{"refresh", "aks-np1-12345678-vms2"}, "POST " + subscription +
		"/resourceGroups/MC_rg_aks_region/providers/Microsoft.Compute/virtualMachines/aks-np1-12345678-vms2/reapply", nil},
	"availability set": {"availability-set", nil, []string{"refresh", "aks-np1-12345678-2"}, "POST " + subscription +
		"/resourceGroups/MC_rg_aks_region/providers/Microsoft.Compute/virtualMachines/aks-np1-12345678-2/reapply", nil},
	"reconcile pool": {"healthy", failedPool, []string{"reconcile", "np1"}, "PUT " + poolID, func(t *testing.T, b *bench) {
		if b.property(poolID, "status") != nil || b.property(poolID, "maxPods") == nil {
			t.Error("the pool is not what it was, without its error")
		}
	}},
	"reconcile cluster": {"healthy", nil, []string{"reconcile", "cluster"}, "PUT " + clusterID, nil},
	"abort": {"pending-operation", nil, []string{"abort", "np1"}, "POST " + poolID + "/abort", func(t *testing.T, b *bench) {
		if got := b.property(poolID, "provisioningState"); got != "Canceled" {
			t.Errorf("the pool is %v", got)
		}
	}},
	"abort cluster": {"healthy", func(s *azure.Scenario) {
		s.Resources[clusterID]["properties"].(map[string]any)["provisioningState"] = "Updating"
		s.Activities = append(s.Activities, map[string]any{"eventTimestamp": time.Now().Add(-3 * time.Hour).UTC().Format(time.RFC3339), "operationId": "op-9", "resourceId": clusterID,
			"operationName": map[string]any{"value": "Microsoft.ContainerService/managedClusters/write"}, "status": map[string]any{"value": "Started"}})
	}, []string{"abort", "cluster"}, "POST " + clusterID + "/abort", func(t *testing.T, b *bench) {
		if got := b.property(clusterID, "provisioningState"); got != "Canceled" {
			t.Errorf("the cluster is %v", got)
		}
	}},
	"start a machine of its own": {"machines-pool", nil, []string{"start", "aks-np1-12345678-vms2"}, "POST " + subscription +
		"/resourceGroups/MC_rg_aks_region/providers/Microsoft.Compute/virtualMachines/aks-np1-12345678-vms2/start", nil},
	"delete machine": {"healthy", closed, []string{"delete-machine", node2, "--accept", "irreversible"}, "POST " + poolID + "/deleteMachines", func(t *testing.T, b *bench) {
		if b.e.Resource(machines+"/virtualMachines/2") != nil || b.c.node(node2) != nil {
			t.Error("the VM is still there")
		}
	}},
	"scale up": {"healthy", nil, []string{"scale-pool", "np1", "--count", "4"}, "PUT " + poolID, func(t *testing.T, b *bench) {
		if got := b.property(poolID, "count"); got != float64(4) && got != 4 {
			t.Errorf("the pool has %v", got)
		}
	}},
	"scale down": {"healthy", nil, []string{"scale-pool", "np1", "--count", "2", "--accept", "irreversible"}, "PUT " + poolID, nil},
	"add pool": {"healthy", nil, []string{"add-pool", "np2", "--like", "np1", "--count", "2"}, "PUT " + clusterID + "/agentPools/np2", func(t *testing.T, b *bench) {
		if b.property(clusterID+"/agentPools/np2", "maxPods") == nil {
			t.Error("the pool is not like the other")
		}
	}},
	"add pool of its own": {"healthy", nil, []string{"add-pool", "np2", "--like", "np1", "--size", "Standard_D8s_v5", "--label", "team=shop", "--taint", "team=shop:NoSchedule", "--count", "1"},
		"PUT " + clusterID + "/agentPools/np2", func(t *testing.T, b *bench) {
			made := clusterID + "/agentPools/np2"
			if got := fmt.Sprint(b.property(made, "vmSize"), b.property(made, "nodeLabels"), b.property(made, "nodeTaints")); got != "Standard_D8s_v5map[team:shop] [team=shop:NoSchedule]" {
				t.Errorf("the pool has %s", got)
			}
		}},
	"delete pool": {"healthy", nil, []string{"delete-pool", "np1", "--accept", "irreversible"}, "DELETE " + poolID, func(t *testing.T, b *bench) {
		if b.e.Resource(poolID) != nil {
			t.Error("the pool is still there")
		}
	}},
}

// Every available change works, is followed to its end and verified, and sends one request that changes something.
func TestRepairs(t *testing.T) {
	for name, test := range offered {
		t.Run(name, func(t *testing.T) {
			b := repairable(t, test.scenario, test.change)
			code, out := b.apply(test.args...)
			if !strings.Contains(out, "the evidence is saved as "+b.state) {
				t.Errorf("exit code %d:\n%s", code, out)
			}
			b.wantProven(code, out, test.nodes())
			if strings.Contains(strings.Join(strings.Fields(out), " "), "still cordoned") {
				t.Errorf("it was uncordoned, and is said to be cordoned:\n%s", out)
			}
			b.wantChanges(test.sent)
			if test.check != nil {
				test.check(t, b)
			}
			if name == "delete pool" { // no node remains that identifies the cluster
				return
			}
			if code, out = b.apply(test.args...); code == 0 && !strings.Contains(out, "the same was done") {
				t.Errorf("a second run: exit code %d:\n%s", code, out)
			}
			b.wantChanges(test.sent)
		})
	}
}

// Each gate refuses with its reason, and no request is sent.
func TestRepairGates(t *testing.T) {
	properties := func(s *azure.Scenario, id string) map[string]any {
		return s.Resources[id]["properties"].(map[string]any)
	}
	for name, test := range map[string]struct {
		scenario string
		change   func(*azure.Scenario)
		args     []string
		why      string
	}{
		"subscription": {"healthy", func(s *azure.Scenario) { s.Resources[subscription]["state"] = "Warned" }, []string{"reconcile", "np1"}, "the subscription is Warned"},
		"power":        {"healthy", func(s *azure.Scenario) { properties(s, clusterID)["powerState"] = map[string]any{"code": "Stopped"} }, []string{"reconcile", "np1"}, "the cluster is Stopped"},
		"operation":    {"healthy", func(s *azure.Scenario) { properties(s, poolID)["provisioningState"] = "Scaling" }, []string{"reconcile", "cluster"}, "an operation is in progress: np1 is Scaling"},
		"no operation": {"healthy", nil, []string{"abort", "np1"}, "there is no operation to abort"},
		"young operation": {"healthy", func(s *azure.Scenario) {
			properties(s, poolID)["provisioningState"] = "Upgrading"
			s.Activities = append(s.Activities, map[string]any{"eventTimestamp": time.Now().Add(-10 * time.Minute).UTC().Format(time.RFC3339), "operationId": "op-9", "resourceId": poolID,
				"operationName": map[string]any{"value": "Microsoft.ContainerService/managedClusters/agentPools/write"}, "status": map[string]any{"value": "Started"}})
		}, []string{"abort", "np1"}, "the operation has been running for 10m"},
		"auto-repair": {"auto-repair", closed, []string{"restart", node2}, "auto-repair of node"},
		"announced event": {"healthy", func(s *azure.Scenario) {
			closed(s)
			s.Nodes["2"].Conditions = []any{map[string]any{"type": "VMEventScheduled", "status": "True", "reason": "FreezeScheduled", "message": "in 15 minutes"}}
		}, []string{"restart", node2}, "the cloud has a scheduled event for node " + node2 + ": FreezeScheduled"},
		"autoscaler": {"healthy", func(s *azure.Scenario) {
			closed(s)
			s.Nodes["2"].Taints = []map[string]any{{"key": "ToBeDeletedByClusterAutoscaler", "effect": "NoSchedule", "value": "1"}}
		}, []string{"reimage", node2}, "the autoscaler is about to delete node " + node2},
		"deny assignment": {"healthy", func(s *azure.Scenario) {
			closed(s)
			s.Resources[subscription+"/resourceGroups/MC_rg_aks_region/providers/Microsoft.Authorization/denyAssignments/d"] = map[string]any{
				"type": "Microsoft.Authorization/denyAssignments", "properties": map[string]any{
					"denyAssignmentName": "made by a managed application", "permissions": []any{map[string]any{"actions": []any{"*/write", "*/action"}, "notActions": []any{}}},
				}}
		}, []string{"redeploy", node2}, "denied by made by a managed application"},
		"runs":         {"healthy", nil, []string{"start", node2}, "the VM is not off: it is running"},
		"spot start":   {"spot-evicted", nil, []string{"start", node2}, "the VM has no host: it is deallocated"},
		"image budget": {"quarantined", nil, []string{"upgrade-image", "np1", "--accept", "cause"}, "it drains all nodes, and these PodDisruptionBudgets allow no eviction: shop/db"},
		"lock":         {"lock", nil, []string{"reconcile", "np1"}, "locked: CanNotDelete on"},
		"lockdown":     {"lockdown", closed, []string{"restart", node2}, "is locked down (ReadOnly)"},
		"rights": {"healthy", func(s *azure.Scenario) {
			for path := range s.Lists {
				if strings.HasSuffix(path, "/permissions") {
					s.Lists[path] = []map[string]any{{"actions": []any{"*/read"}, "notActions": []any{}}}
				}
			}
		}, []string{"reconcile", "np1"}, "you do not have Microsoft.ContainerService/managedClusters/agentPools/write"},
		"counts":                    {"count-differs", nil, []string{"reconcile", "np1"}, "pool np1 specifies 5 nodes, but its scale set has 3 VMs"},
		"counts of the cluster":     {"count-differs", nil, []string{"reconcile", "cluster"}, "pool np1 specifies 5 nodes, but its scale set has 3 VMs"},
		"nodes fewer than machines": {"healthy", func(s *azure.Scenario) { s.Nodes["2"] = nil }, []string{"reconcile", "np1", "--accept", "cause"}, "pool np1 specifies 3 VMs, but the cluster has 2 nodes of it"},
		"pool stopped":              {"healthy", func(s *azure.Scenario) { properties(s, poolID)["powerState"] = map[string]any{"code": "Stopped"} }, []string{"upgrade-image", "np1"}, "pool np1 is Stopped"},
		"system reimage": {"agent-dead", func(s *azure.Scenario) {
			closed(s)
			properties(s, poolID)["mode"] = "System"
			s.Nodes["0"] = &azure.Node{Cordoned: time.Now().Add(-time.Minute).UTC().Format(time.RFC3339)}
			s.Nodes["1"] = s.Nodes["0"]
		}, []string{"reimage", node2}, "no other node of a system pool is Ready"},
		"model unread": {"disk-detach", func(s *azure.Scenario) { delete(properties(s, machines+"/virtualMachines/2"), "latestModelApplied") }, []string{"refresh", node2}, "the model of the VM could not be read"},
		"permission": {"healthy", func(s *azure.Scenario) {
			for path := range s.Lists {
				if strings.HasSuffix(path, "/permissions") {
					s.Lists[path] = []map[string]any{{"actions": []any{"*"}, "notActions": []any{"Microsoft.Compute/*/restart/action"}}}
				}
			}
			closed(s)
		}, []string{"restart", node2}, "you do not have Microsoft.Compute/virtualMachineScaleSets/virtualMachines/restart/action let someone with this permission run the az command"},
		"cause":   {"subnet-full", nil, []string{"reconcile", "np1"}, "found: cloud-subnet-full"},
		"budgets": {"quarantined", nil, []string{"reconcile", "np1", "--accept", "cause"}, "an upgrade will continue, and these PodDisruptionBudgets allow no eviction: shop/db"},
		"pool-health": {"agent-dead", func(s *azure.Scenario) {
			closed(s)
			s.Nodes["1"] = &azure.Node{Ready: "Unknown", Since: time.Now().Add(-30 * time.Minute).UTC().Format(time.RFC3339)}
		}, []string{"reimage", node2}, "2 of 3 nodes are NotReady"},
		"protected": {"disk-detach", func(s *azure.Scenario) {
			properties(s, machines+"/virtualMachines/2")["protectionPolicy"] = map[string]any{"protectFromScaleSetActions": true}
		}, []string{"refresh", node2}, "the VM has scale set protection"},
		"spot":    {"spot-evicted", closed, []string{"restart", node2}, "the VM has no host: it is deallocated"},
		"model":   {"disk-detach", func(s *azure.Scenario) { properties(s, machines+"/virtualMachines/2")["latestModelApplied"] = false }, []string{"refresh", node2}, "does not have the latest model"},
		"drained": {"quarantined", nil, []string{"reimage", node2}, "1 pod would be killed without eviction: shop/db-0"},
		"open":    {"healthy", nil, []string{"restart", node2}, "the node is not cordoned"},
		"loss":    {"healthy", nil, []string{"delete-pool", "np1"}, "it cannot be undone"},
		"system":  {"healthy", func(s *azure.Scenario) { closed(s); properties(s, poolID)["mode"] = "System" }, []string{"delete-pool", "np1", "--accept", "irreversible"}, "no other node of a system pool is Ready"},
		"locks unread": {"healthy", func(s *azure.Scenario) {
			s.Faults = append(s.Faults, &azure.Fault{Match: "/providers/Microsoft.Authorization/locks", Status: 403, Code: "AuthorizationFailed", Message: "may not"})
		}, []string{"reconcile", "np1"}, "locks could not be read"},
	} {
		t.Run(name, func(t *testing.T) {
			b := repairable(t, test.scenario, test.change)
			code, out := b.apply(test.args...)
			if flat := strings.Join(strings.Fields(out), " "); code != 3 && code != 5 || !strings.Contains(flat, test.why) || !strings.Contains(out, "nothing was done") {
				t.Errorf("exit code %d, want %q:\n%s", code, test.why, out)
			}
			b.wantChanges()
		})
	}
}

// If Azure rejects a change for another reason, the result shows what to do, and the request is sent once. A throttled
// request is retried.
func TestRepairRefused(t *testing.T) {
	for name, test := range map[string]struct {
		outcome azure.Outcome
		code    int
		says    []string
		sent    int
	}{
		"403":          {azure.Outcome{Status: 403, Code: "AuthorizationFailed", Message: "may not"}, 3, []string{"NOT DONE", "AuthorizationFailed"}, 1},
		"policy":       {azure.Outcome{Status: 403, Code: "RequestDisallowedByPolicy", Message: "a policy"}, 3, []string{"NOT DONE", "RequestDisallowedByPolicy"}, 1},
		"throttled":    {azure.Outcome{Status: 429, Code: "Throttled", Message: "slow down", RetryAfter: "1", Times: 1}, 0, []string{"Throttled; retry in 1s", "VERIFIED the verification passed"}, 2},
		"service down": {azure.Outcome{Status: 400, Code: "InvalidParameter", Message: "bad"}, 3, []string{"NOT DONE", "InvalidParameter"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := repairable(t, "healthy", func(s *azure.Scenario) {
				failedPool(s)
				test.outcome.Match = "agentPools/np1"
				s.Outcomes = []*azure.Outcome{&test.outcome}
			})
			code, out := b.apply("reconcile", "np1")
			flat := strings.Join(strings.Fields(out), " ")
			for _, want := range test.says {
				if !strings.Contains(flat, want) {
					t.Errorf("no %q in:\n%s", want, out)
				}
			}
			if code != test.code || len(b.changes()) != test.sent {
				t.Errorf("exit code %d, changes %q:\n%s", code, b.changes(), out)
			}
		})
	}
}

// until waits for an output line.
func until(t *testing.T, out interface{ String() string }, text string) {
	t.Helper()
	for range 1800 { // minutes, because the machine may be busy
		if strings.Contains(out.String(), text) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("no %q in:\n%s", text, out.String())
}

// safe is a buffer for output that is read during the run.
type safe struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safe) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safe) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// A run is killed between request and response. The next run finds the request in the activity log. A request that
// never arrived is not repeated while the log may be late.
func TestRepairLostInBetween(t *testing.T) {
	for name, test := range map[string]struct {
		lost string
		code int
		says []string // one of them
	}{
		"arrived": {"answer", 5, []string{"the cloud's log shows it", "resume"}}, // the program may have read the log before its end
		"never":   {"request", 5, []string{"whether the request"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := repairable(t, "healthy", func(s *azure.Scenario) {
				closed(s)
				s.Outcomes = []*azure.Outcome{{Match: "virtualMachines/2/restart", Lost: test.lost}}
			})
			release := b.e.Hold()
			cmd, _ := b.command("restart", node2, "--apply", "--yes")
			var out safe
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			until(t, &out, "no response")
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			release()
			code, text := b.repair("restart", node2, "--apply", "--yes")
			if flat := strings.Join(strings.Fields(out.String()+text), " "); code != test.code || !slices.ContainsFunc(test.says, func(want string) bool { return strings.Contains(flat, want) }) {
				t.Errorf("exit code %d:\n%s", code, text)
			}
			if n := len(b.changes()); n != 1 {
				t.Errorf("%d changes were sent: %q", n, b.changes())
			}
		})
	}
}

// Without --yes the user types the name. Without a terminal nothing is changed.
func TestRepairAsks(t *testing.T) {
	b := repairable(t, "disk-detach", nil)
	if code, out := b.repair("refresh", node2, "--apply"); code != 2 || !strings.Contains(out, "use --yes") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	b.wantChanges()
}
