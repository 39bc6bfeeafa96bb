package azure

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// printed are the commands that print resources, by parts of their IDs in lower case; the first that fits counts. A list collects
// all its resources in one file.
var printed = []struct {
	parts []string
	file  string
	list  bool
}{
	{[]string{"/locks/"}, "az-lock-list", true},
	{[]string{"/roleassignments/"}, "az-role-assignment-list", true},
	{[]string{"/denyassignments/"}, "az-rest-deny-assignments", true},
	{[]string{"/availabilitystatuses/"}, "az-rest-health", true},
	{[]string{"/childavailabilitystatuses/"}, "az-rest-health", true},
	{[]string{"/microsoft.resourcehealth/events/"}, "az-rest-health", true},
	{[]string{"/maintenanceconfigurations/"}, "az-aks-maintenanceconfiguration-list", true},
	{[]string{"/upgradeprofiles/"}, upgrades, false},
	{[]string{"/operations/"}, "az-aks-operation-show-latest", false},
	{[]string{"/agentpools/"}, "az-aks-nodepool-list", true},
	{[]string{"/virtualmachinescalesets/", "/virtualmachines/"}, "az-vmss-list-instances", true},
	{[]string{"/virtualmachinescalesets/"}, scaleSets, true},
	{[]string{"/virtualmachines/"}, "az-vm-list", true},
	{[]string{"/subnets/"}, "az-network-vnet-subnet-show", false},
	{[]string{"/networksecuritygroups/"}, "az-network-nsg-show", false},
	{[]string{"/routetables/"}, "az-network-route-table-show", false},
	{[]string{"/managedclusters/"}, "az-aks-show", false},
}

const (
	upgrades  = "az-aks-nodepool-get-upgrades" // one file per pool
	scaleSets = "az-vmss-list"
)

// saving collects what the commands print.
type saving struct {
	files map[string][]byte
	lists map[string][]any
}

// add adds a resource to the file of its command.
func (x *saving) add(id string, r map[string]any) {
	flat := flatten(r, id)
	low := strings.ToLower(id)
	if strings.Count(low, "/") == 2 { // a subscription
		x.files["az-account-show.json"] = pretty(map[string]any{"environmentName": "AzureCloud", "id": id[len("/subscriptions/"):], "name": flat["displayName"], "state": flat["state"], "tenantId": "t"})
		return
	}
	for _, p := range printed {
		if slices.ContainsFunc(p.parts, func(part string) bool { return !strings.Contains(low, part) }) {
			continue
		}
		name := p.file
		switch p.file {
		case upgrades:
			name += "-" + fmt.Sprint(len(x.files))
		case scaleSets:
			if view, ok := flat["instanceView"]; ok { // has a separate command
				delete(flat, "instanceView")
				x.files["az-vmss-get-instance-view.json"] = pretty(view)
			}
		}
		if p.list {
			x.lists[name] = append(x.lists[name], flat)
		} else {
			x.files[name+".json"] = pretty(flat)
		}
		return
	}
}

// Saved returns the state as az prints it: one file per command, with the properties of resources one level up.
func (s *State) Saved() map[string][]byte {
	x := saving{map[string][]byte{}, map[string][]any{}}
	for _, id := range slices.Sorted(maps.Keys(s.Resources)) {
		if r := s.Resources[id]; r != nil {
			x.add(id, r)
		}
	}
	out, lists := x.files, x.lists
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
