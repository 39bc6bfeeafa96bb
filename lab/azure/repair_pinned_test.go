package azure_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// twoPools adds a second pool with two VMs in one zone, with a taint that only some pods tolerate. The first pool has
// fast disks and all three zones.
func twoPools(s *azure.Scenario) {
	other := clusterID + "/agentPools/np2"
	s.Resources[other] = map[string]any{"type": "Microsoft.ContainerService/managedClusters/agentPools", "properties": maps.Clone(s.Resources[poolID]["properties"].(map[string]any))}
	s.Resources[other]["properties"].(map[string]any)["count"] = 2
	set := strings.Replace(machines, "-np1-", "-np2-", 1)
	s.Resources[set] = map[string]any{"sku": map[string]any{"capacity": 2}, "tags": map[string]any{"aks-managed-poolName": "np2"}, "properties": map[string]any{"provisioningState": "Succeeded"}}
	for i := range 3 {
		s.Nodes[fmt.Sprint(i)] = &azure.Node{Labels: map[string]string{"disk": "fast", "topology.kubernetes.io/zone": fmt.Sprintf("region-%d", i+1)}}
	}
	for i := range 2 {
		name := fmt.Sprintf("aks-np2-12345678-vmss00000%d", i)
		id := fmt.Sprintf("%s/virtualMachines/%d", set, i)
		s.Resources[id] = map[string]any{"instanceId": fmt.Sprint(i), "properties": maps.Clone(instance(s, 0))}
		s.Resources[id]["properties"].(map[string]any)["osProfile"] = map[string]any{"computerName": name}
		s.Nodes[fmt.Sprint(7+i)] = &azure.Node{
			Name: name, ProviderID: "azure://" + id, Taints: []map[string]any{{"key": "team", "value": "data", "effect": "NoSchedule"}},
			Labels: map[string]string{"agentpool": "np2", "kubernetes.azure.com/agentpool": "np2", "topology.kubernetes.io/zone": "region-1"},
		}
	}
}

// podOn returns a running pod of a StatefulSet on the last node of the pool. It tolerates the taint of the other pool.
func podOn(name string, spec map[string]any) map[string]any {
	all := map[string]any{
		"nodeName": node2, "tolerations": []any{map[string]any{"key": "team", "operator": "Exists"}},
		"containers": []any{map[string]any{"name": "main", "image": "x", "resources": map[string]any{"requests": map[string]any{"cpu": "100m"}}}},
	}
	maps.Copy(all, spec)
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "spec": all, "status": map[string]any{"phase": "Running", "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}},
		"metadata": map[string]any{"name": name, "namespace": "shop", "uid": name, "labels": map[string]any{"app": name},
			"ownerReferences": []any{map[string]any{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": name, "uid": "u-" + name, "controller": true}}},
	}
}

// needs returns a node affinity, required or preferred.
func needs(key, value string, required bool) map[string]any {
	term := map[string]any{"matchExpressions": []any{map[string]any{"key": key, "operator": "In", "values": []any{value}}}}
	if required {
		return map[string]any{"nodeAffinity": map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": []any{term}}}}
	}
	return map[string]any{"nodeAffinity": map[string]any{"preferredDuringSchedulingIgnoredDuringExecution": []any{map[string]any{"weight": 100, "preference": term}}}}
}

// volume returns a disk in one zone, with its claim.
func volume(name, zone string) []map[string]any {
	affinity := map[string]any{"required": map[string]any{"nodeSelectorTerms": []any{map[string]any{"matchExpressions": []any{
		map[string]any{"key": "topology.kubernetes.io/zone", "operator": "In", "values": []any{zone}}}}}}}
	return []map[string]any{
		{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": map[string]any{"name": "pv-" + name}, "status": map[string]any{"phase": "Bound"},
			"spec": map[string]any{"capacity": map[string]any{"storage": "1Gi"}, "accessModes": []any{"ReadWriteOnce"}, "nodeAffinity": affinity, "claimRef": map[string]any{"namespace": "shop", "name": name, "uid": "c-" + name},
				"csi": map[string]any{"driver": "disk.csi.azure.com", "volumeHandle": name}}},
		{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": map[string]any{"name": name, "namespace": "shop", "uid": "c-" + name, "annotations": map[string]any{"pv.kubernetes.io/bind-completed": "yes"}},
			"spec": map[string]any{"volumeName": "pv-" + name, "accessModes": []any{"ReadWriteOnce"}, "resources": map[string]any{"requests": map[string]any{"storage": "1Gi"}}}, "status": map[string]any{"phase": "Bound"}},
	}
}

func claim(name string) map[string]any {
	return map[string]any{"volumes": []any{map[string]any{"name": "data", "persistentVolumeClaim": map[string]any{"claimName": name}}}}
}

// spread returns a topology spread constraint for the pods of the app.
func spread(app, key string) map[string]any {
	return map[string]any{"topologySpreadConstraints": []any{map[string]any{
		"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": map[string]any{"matchLabels": map[string]any{"app": app}}}}}
}

// Before a pool is deleted, the plan lists the pods that fit on no other pool, for every reason, and no other pods.
func TestRepairShowsPinnedPods(t *testing.T) {
	apart := func(app string) map[string]any {
		return map[string]any{"affinity": map[string]any{"podAntiAffinity": map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": []any{map[string]any{
			"topologyKey": "topology.kubernetes.io/zone", "labelSelector": map[string]any{"matchLabels": map[string]any{"app": app}}}}}}}
	}
	near := func(app string) map[string]any {
		return map[string]any{"affinity": map[string]any{"podAffinity": map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": []any{map[string]any{
			"topologyKey": "topology.kubernetes.io/zone", "labelSelector": map[string]any{"matchLabels": map[string]any{"app": app}}}}}}}
	}
	for name, test := range map[string]struct {
		objects []map[string]any
		by      string // empty: not pinned
		asks    string
	}{
		"selector by the pool's label": {[]map[string]any{podOn("a", map[string]any{"nodeSelector": map[string]any{"agentpool": "np1"}})}, "selector", "agentpool=np1"},
		"selector by another label":    {[]map[string]any{podOn("a", map[string]any{"nodeSelector": map[string]any{"disk": "fast"}})}, "selector", "disk=fast"},
		"required affinity":            {[]map[string]any{podOn("a", map[string]any{"affinity": needs("kubernetes.azure.com/agentpool", "np1", true)})}, "affinity", "kubernetes.azure.com/agentpool In np1"},
		"required zone":                {[]map[string]any{podOn("a", map[string]any{"affinity": needs("topology.kubernetes.io/zone", "region-3", true)})}, "affinity", "topology.kubernetes.io/zone In region-3"},
		"no toleration":                {[]map[string]any{podOn("a", map[string]any{"tolerations": []any{}})}, "scheduler", "untolerated taint"},
		"a disk in another zone":       {append(volume("a", "region-3"), podOn("a", claim("a"))), "scheduler", "PersistentVolume's node affinity"},
		"more than there is room for": {[]map[string]any{podOn("a", map[string]any{"containers": []any{map[string]any{"name": "main", "image": "x",
			"resources": map[string]any{"requests": map[string]any{"memory": "15Gi"}}}}})}, "scheduler", "memory"},
		"apart by zone": {[]map[string]any{podOn("a", apart("a")), func() map[string]any {
			p := podOn("a2", map[string]any{"nodeName": "aks-np2-12345678-vmss000000"})
			p["metadata"].(map[string]any)["labels"] = map[string]any{"app": "a"}
			return p
		}()}, "scheduler", "anti-affinity"},
		"a selector that both pools meet": {[]map[string]any{podOn("a", map[string]any{"nodeSelector": map[string]any{"kubernetes.io/os": "linux"}})}, "", ""},
		"only a wish":                     {[]map[string]any{podOn("a", map[string]any{"affinity": needs("agentpool", "np1", false)})}, "", ""},
		"one of several terms":            {[]map[string]any{podOn("a", map[string]any{"affinity": needs("topology.kubernetes.io/zone", "region-1", true)})}, "", ""},
		"a disk in a zone that stays":     {append(volume("a", "region-1"), podOn("a", claim("a"))), "", ""},
		"spread over zones that go":       {[]map[string]any{podOn("a", spread("a", "topology.kubernetes.io/zone"))}, "", ""},
		"near a pod that moves with it":   {[]map[string]any{podOn("a", near("b")), podOn("b", nil)}, "", ""},
		"a pod of a daemon set": {[]map[string]any{func() map[string]any {
			p := podOn("a", map[string]any{"nodeSelector": map[string]any{"agentpool": "np1"}})
			p["metadata"].(map[string]any)["ownerReferences"].([]any)[0].(map[string]any)["kind"] = "DaemonSet"
			return p
		}()}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := repairable(t, "healthy", func(s *azure.Scenario) { twoPools(s); s.Objects = append(s.Objects, test.objects...) })
			code, out := b.repair("delete-pool", "np1", "--accept", "irreversible", "-o", "json")
			var p struct {
				Verdict string
				Pinned  []struct{ Namespace, Name, By, Asks string }
				Gates   []gate
			}
			if err := json.Unmarshal([]byte(out), &p); err != nil {
				t.Fatalf("%v:\n%s", err, out)
			}
			i := slices.IndexFunc(p.Gates, func(g gate) bool { return g.Name == "pinned" })
			switch {
			case test.by == "" && (code != 0 || p.Verdict != "clear" || len(p.Pinned) > 0):
				t.Errorf("exit code %d, %s, %+v, gate %+v", code, p.Verdict, p.Pinned, p.Gates[i])
			case test.by != "" && (code != 3 || len(p.Pinned) != 1 || p.Pinned[0].Name != "a" || p.Pinned[0].By != test.by || !strings.Contains(p.Pinned[0].Asks, test.asks)):
				t.Errorf("exit code %d, %s, %+v, gate %+v", code, p.Verdict, p.Pinned, p.Gates[i])
			}
			if test.by != "" {
				if code, out := b.apply("delete-pool", "np1", "--accept", "irreversible"); code != 3 || !strings.Contains(out, "1 pod would stay Pending") || !strings.Contains(out, "Would stay Pending") {
					t.Errorf("exit code %d:\n%s", code, out)
				}
			}
			b.wantChanges()
		})
	}
}
