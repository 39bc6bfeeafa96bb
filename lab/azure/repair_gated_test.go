package azure_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// hindrance is a condition that a gate refuses, for every change except some actions or names.
type hindrance struct {
	name   string
	change func(*azure.Scenario)
	gate   string
	not    []string
}

func (h *hindrance) concerns(change string, o *offer) bool {
	return !slices.Contains(h.not, o.args[0]) && !slices.Contains(h.not, change)
}

// The gates for every change refuse every change. No request is sent, and the plan still shows the az command. Gates
// are independent of each other, so a change meets as many hindrances at once as there are. One change meets each
// hindrance alone.
func TestEveryRepairIsGated(t *testing.T) {
	property := func(id, name string, value any) func(*azure.Scenario) {
		return func(s *azure.Scenario) { s.Resources[id]["properties"].(map[string]any)[name] = value }
	}
	onNode2 := func(change func(*azure.Node)) func(*azure.Scenario) {
		return func(s *azure.Scenario) {
			if s.Nodes["2"] == nil {
				s.Nodes["2"] = &azure.Node{}
			}
			change(s.Nodes["2"])
		}
	}
	nodes := subscription + "/resourceGroups/MC_rg_aks_region"
	machinePast := []string{"refresh", "reimage", "restart", "redeploy", "start"}
	hindrances := []hindrance{
		{"subscription disabled", func(s *azure.Scenario) { s.Resources[subscription]["state"] = "Disabled" }, "subscription", nil},
		{"subscription unread", func(s *azure.Scenario) { s.Resources[subscription] = nil }, "subscription", nil},
		{"cluster stopped", property(clusterID, "powerState", map[string]any{"code": "Stopped"}), "power", nil},
		{"cluster being deleted", property(clusterID, "provisioningState", "Deleting"), "operation", []string{"abort"}},
		{"pool in an unknown state", property(poolID, "provisioningState", "Frobnicating"), "operation",
			[]string{"abort", "availability set"}}, // its pools cannot be read
		{"lock on the subscription", lockOn(subscription, "CanNotDelete"), "lock", append([]string{"abort"}, machinePast...)},
		{"lock on the cluster's group", lockOn(subscription+"/resourceGroups/rg", "CanNotDelete"), "lock", append([]string{"abort"}, machinePast...)},
		{"lock on the node resource group", lockOn(nodes, "ReadOnly"), "lock", []string{"abort"}},
		{"lock on one thing among the nodes", lockOn(nodes+"/providers/Microsoft.Network/publicIPAddresses/out", "CanNotDelete"), "lock", append([]string{"abort"}, machinePast...)},
		{"locks unread", unreadable("/providers/Microsoft.Authorization/locks"), "lock", []string{"abort"}},
		{"locked down", property(clusterID, "nodeResourceGroupProfile", map[string]any{"restrictionLevel": "ReadOnly"}), "lockdown",
			[]string{"reconcile", "abort", "upgrade-image", "delete-machine", "add-pool", "scale-pool", "delete-pool"}},
		{"no rights", func(s *azure.Scenario) {
			for path := range s.Lists {
				if strings.HasSuffix(path, "/permissions") {
					s.Lists[path] = []map[string]any{{"actions": []any{"*/read"}, "notActions": []any{}}}
				}
			}
		}, "rights", nil},
		{"an announced event", onNode2(func(n *azure.Node) {
			n.Conditions = []any{map[string]any{"type": "VMEventScheduled", "status": "True", "reason": "RedeployScheduled", "message": "soon"}}
		}), "auto-repair", []string{"abort", "add-pool"}},
		{"a mark of the autoscaler", onNode2(func(n *azure.Node) {
			n.Taints = append(n.Taints, map[string]any{"key": "ToBeDeletedByClusterAutoscaler", "effect": "NoSchedule", "value": "1"})
		}), "auto-repair", []string{"abort", "add-pool"}},
		{"auto-repair at work", func(s *azure.Scenario) {
			for _, n := range s.Cluster(time.Now()) {
				if n["kind"] == "Node" && strings.HasSuffix(n["metadata"].(map[string]any)["name"].(string), "2") {
					s.Objects = append(s.Objects, map[string]any{
						"apiVersion": "v1", "kind": "Event", "metadata": map[string]any{"name": "e", "namespace": "default"}, "type": "Normal", "reason": "NodeRebootStart", "message": "reboot", "count": 1,
						"involvedObject": map[string]any{"kind": "Node", "name": n["metadata"].(map[string]any)["name"]}, "source": map[string]any{"component": "aks-auto-repair"},
						"firstTimestamp": time.Now().Add(-3 * time.Minute).UTC().Format(time.RFC3339), "lastTimestamp": time.Now().Add(-3 * time.Minute).UTC().Format(time.RFC3339),
					})
				}
			}
		}, "auto-repair", []string{"abort", "add-pool"}},
	}
	names := slices.Sorted(maps.Keys(offered))
	rounds := map[string][][]hindrance{} // by change
	for i, h := range hindrances {
		for j := range names {
			change := names[(i+j)%len(names)]
			if o := offered[change]; h.concerns(change, &o) {
				rounds[change] = append(rounds[change], hindrances[i:i+1])
				break
			}
		}
	}
	for _, change := range names {
		o := offered[change]
		var together [][]hindrance // in each a gate has one
		met := map[string]int{}
		for _, h := range hindrances {
			if !h.concerns(change, &o) {
				continue
			}
			if met[h.gate] == len(together) {
				together = append(together, nil)
			}
			together[met[h.gate]] = append(together[met[h.gate]], h)
			met[h.gate]++
		}
		for i, round := range append(rounds[change], together...) {
			t.Run(fmt.Sprintf("%s/%d", change, i), func(t *testing.T) {
				b := repairable(t, o.scenario, func(s *azure.Scenario) {
					if o.change != nil {
						o.change(s)
					}
					for _, h := range round {
						h.change(s)
					}
				})
				code, out := b.apply(append(slices.Clone(o.args), "-o", "json")...)
				verdict, command, gates := planned(t, out)
				for _, h := range round {
					if g := gates[h.gate]; g.State != "refused" && g.State != "unknown" || g.Why == "" {
						t.Errorf("%s: gate %s: %+v", h.name, h.gate, g)
					}
				}
				if code != 3 && code != 5 || verdict == "clear" || !strings.HasPrefix(command, "az ") {
					t.Errorf("exit code %d, %s, command %q", code, verdict, command)
				}
				b.wantChanges()
			})
		}
	}
}
