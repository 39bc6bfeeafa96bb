package azure

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Saved returns the state as az prints it: one file per command, with the properties of resources one level up.
func (s *State) Saved() map[string][]byte {
	out := map[string][]byte{}
	lists := map[string][]any{}
	for _, id := range slices.Sorted(maps.Keys(s.Resources)) {
		r := s.Resources[id]
		if r == nil {
			continue
		}
		flat := flatten(r, id)
		low := strings.ToLower(id)
		switch {
		case strings.Contains(low, "/locks/"):
			lists["az-lock-list"] = append(lists["az-lock-list"], flat)
		case strings.Contains(low, "/roleassignments/"):
			lists["az-role-assignment-list"] = append(lists["az-role-assignment-list"], flat)
		case strings.Contains(low, "/denyassignments/"):
			lists["az-rest-deny-assignments"] = append(lists["az-rest-deny-assignments"], flat)
		case strings.Contains(low, "/availabilitystatuses/"), strings.Contains(low, "/childavailabilitystatuses/"), strings.Contains(low, "/microsoft.resourcehealth/events/"):
			lists["az-rest-health"] = append(lists["az-rest-health"], flat)
		case strings.Contains(low, "/maintenanceconfigurations/"):
			lists["az-aks-maintenanceconfiguration-list"] = append(lists["az-aks-maintenanceconfiguration-list"], flat)
		case strings.Contains(low, "/upgradeprofiles/"):
			out["az-aks-nodepool-get-upgrades-"+fmt.Sprint(len(out))+".json"] = pretty(flat)
		case strings.Contains(low, "/operations/"):
			out["az-aks-operation-show-latest.json"] = pretty(flat)
		case strings.Count(low, "/") == 2: // a subscription
			out["az-account-show.json"] = pretty(map[string]any{"environmentName": "AzureCloud", "id": id[len("/subscriptions/"):], "name": flat["displayName"], "state": flat["state"], "tenantId": "t"})
		case strings.Contains(low, "/agentpools/"):
			lists["az-aks-nodepool-list"] = append(lists["az-aks-nodepool-list"], flat)
		case strings.Contains(low, "/virtualmachinescalesets/") && strings.Contains(low, "/virtualmachines/"):
			lists["az-vmss-list-instances"] = append(lists["az-vmss-list-instances"], flat)
		case strings.Contains(low, "/virtualmachinescalesets/"):
			if view, ok := flat["instanceView"]; ok { // has a separate command
				delete(flat, "instanceView")
				out["az-vmss-get-instance-view.json"] = pretty(view)
			}
			lists["az-vmss-list"] = append(lists["az-vmss-list"], flat)
		case strings.Contains(low, "/virtualmachines/"):
			lists["az-vm-list"] = append(lists["az-vm-list"], flat)
		case strings.Contains(low, "/subnets/"):
			out["az-network-vnet-subnet-show.json"] = pretty(flat)
		case strings.Contains(low, "/networksecuritygroups/"):
			out["az-network-nsg-show.json"] = pretty(flat)
		case strings.Contains(low, "/routetables/"):
			out["az-network-route-table-show.json"] = pretty(flat)
		case strings.Contains(low, "/managedclusters/"):
			out["az-aks-show.json"] = pretty(flat)
		}
	}
	for name, list := range lists {
		out[name+".json"] = pretty(list)
	}
	for _, path := range slices.Sorted(maps.Keys(s.Lists)) {
		name := "az-usage-" + strings.ToLower(strings.NewReplacer("/", "-", ".", "-").Replace(path[strings.Index(path, "/providers/")+11:]))
		out[name+".json"] = pretty(s.Lists[path])
	}
	if len(s.PolicyStates) > 0 {
		out["az-policy-state-list.json"] = pretty(s.PolicyStates)
	}
	if len(s.Activities) > 0 {
		out["az-monitor-activity-log-list.json"] = pretty(s.Activities)
	}
	return out
}

// flatten moves the fields of properties one level up.
func flatten(r map[string]any, id string) map[string]any {
	out := copyOf(r)
	out["id"] = id
	if out["name"] == nil {
		out["name"] = id[strings.LastIndexByte(id, '/')+1:]
	}
	if p, ok := out["properties"].(map[string]any); ok {
		delete(out, "properties")
		for k, v := range p {
			if out[k] == nil {
				out[k] = v
			}
		}
	}
	return out
}

func pretty(v any) []byte {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil // decoded from JSON
	}
	return append(raw, '\n')
}
