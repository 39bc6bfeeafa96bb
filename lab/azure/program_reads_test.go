package azure_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// big returns a cluster with that many pools of that many nodes: every tenth node of some pools is not Ready, and the
// first pool is Failed if failed is set.
func big(t *testing.T, pools, nodes, sick int, failed bool, now time.Time) *azure.Scenario {
	t.Helper()
	s, err := azure.Load("healthy", now)
	if err != nil {
		t.Fatal(err)
	}
	const sub = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/"
	const cluster, compute = sub + "rg/providers/Microsoft.ContainerService/managedClusters/aks", sub + "MC_rg_aks_region/providers/Microsoft.Compute/virtualMachineScaleSets/"
	like := s.Resources[cluster+"/agentPools/np1"]["properties"].(map[string]any)
	for id := range s.Resources {
		if strings.Contains(id, "/agentPools/") || strings.Contains(id, "/virtualMachineScaleSets/") {
			delete(s.Resources, id)
		}
	}
	s.Nodes, s.Activities = nil, nil
	stamp := func(back time.Duration) string { return now.Add(-back).UTC().Format(time.RFC3339) }
	for p := range pools {
		name, set := fmt.Sprintf("p%d", p), fmt.Sprintf("aks-p%d-12345678-vmss", p)
		pool := map[string]any{}
		for k, v := range like {
			pool[k] = v
		}
		pool["count"] = nodes
		if failed && p == 0 {
			pool["provisioningState"] = "Failed"
			pool["status"] = map[string]any{"provisioningError": map[string]any{"code": "SkuNotAvailable", "message": "The requested VM size Standard_D4s_v5 is not available in location region."}}
		}
		s.Resources[cluster+"/agentPools/"+name] = map[string]any{"type": "Microsoft.ContainerService/managedClusters/agentPools", "properties": pool}
		s.Resources[compute+set] = map[string]any{"sku": map[string]any{"capacity": nodes}, "tags": map[string]any{"aks-managed-poolName": name}, "properties": map[string]any{"provisioningState": "Succeeded"}}
		for i := range nodes {
			host, id := fmt.Sprintf("%s%06s", set, strings.ToLower(fmt.Sprintf("%06x", i))), fmt.Sprintf("%s%s/virtualMachines/%d", compute, set, i)
			ready, since := "True", now.Add(-300*time.Hour)
			if i%max(1, nodes/10) == 0 && sick > 0 {
				sick--
				ready, since = "Unknown", now.Add(-time.Hour)
			}
			s.Resources[id] = map[string]any{"instanceId": fmt.Sprint(i), "properties": map[string]any{"provisioningState": "Succeeded", "latestModelApplied": true, "osProfile": map[string]any{"computerName": host},
				"instanceView": map[string]any{"statuses": []any{map[string]any{"code": "PowerState/running"}}}}}
			s.Objects = append(s.Objects, map[string]any{
				"apiVersion": "v1", "kind": "Node",
				"metadata": map[string]any{"name": host, "uid": host, "creationTimestamp": stamp(300 * time.Hour), "labels": map[string]any{"kubernetes.azure.com/agentpool": name}},
				"spec":     map[string]any{"providerID": "azure://" + id},
				"status":   map[string]any{"conditions": azure.Conditions(ready, since, now.Add(-time.Minute)), "nodeInfo": map[string]any{"kubeletVersion": "v1.33.3", "operatingSystem": "linux"}},
			})
		}
	}
	return s
}

// TestProgramReads counts the requests of one diagnosis by the built program, including retries: fewer than 30 for
// every cluster, without throttling. make bench prints the number.
func TestProgramReads(t *testing.T) {
	for _, c := range []struct {
		pools, nodes, sick int
		failed             bool
	}{
		{1, 100, 0, false}, {1, 100, 5, true}, {5, 20, 0, false}, {5, 20, 50, true}, {5, 100, 50, true}, {5, 1000, 0, false}, {5, 1000, 50, false}, {5, 1000, 50, true},
	} {
		now := time.Now()
		s := big(t, c.pools, c.nodes, c.sick, c.failed, now)
		e := azure.Start(&s.State)
		kubeconfig, changed := kubernetes(t, s.Cluster(now))
		r := diagnose(t, "--kubeconfig", kubeconfig, "--azure-endpoint", e.URL)
		requests := e.Audit()
		e.Close()
		first := "nothing"
		if len(r.Findings) > 0 {
			first = r.Findings[0].Cause
		}
		t.Logf("%d pools of %d nodes, %d sick, a pool failed %v: %d requests, found %s", c.pools, c.nodes, c.sick, c.failed, len(requests), first)
		if len(requests) < 10 || len(requests) >= 30 || len(*changed) > 0 {
			t.Errorf("%d requests, changes %q", len(requests), *changed)
		}
		for _, q := range requests {
			if q.Method != http.MethodGet && !question(q.Path) {
				t.Errorf("sent %s %s", q.Method, q.Path)
			}
		}
		if c.failed && first != "cloud-capacity-unavailable" {
			t.Errorf("found %s first, not checked: %v", first, r.NotChecked)
		}
		for _, gap := range r.NotChecked {
			if strings.Contains(gap.Why, "429") {
				t.Errorf("throttled: %v", gap)
			}
		}
	}
}
