package azure

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// special answers requests that are neither a stored resource nor a list of them: the health of resources, the upgrade
// profile of a pool, inherited roles, and queries by POST.
func (e *Emulator) special(r *http.Request) (items []map[string]any, one map[string]any, ok bool) {
	path := key(r.URL.Path)
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(path, "/providers/microsoft.policyinsights/policystates/latest/queryresults"):
		scope, _, _ := strings.Cut(path, "/providers/microsoft.policyinsights/")
		return e.policies(scope), nil, true
	case r.Method != http.MethodGet:
		return nil, nil, false
	case strings.HasSuffix(path, "/availabilitystatuses/current"), strings.HasSuffix(path, "/childavailabilitystatuses/current"):
		return nil, map[string]any{"id": r.URL.Path, "name": "current", "type": "Microsoft.ResourceHealth/availabilityStatuses",
			"properties": map[string]any{"availabilityState": "Available", "summary": "There aren't any known Azure platform problems affecting this resource."}}, true
	case strings.HasSuffix(path, "/upgradeprofiles/default"):
		pool := e.resources[strings.TrimSuffix(path, "/upgradeprofiles/default")]
		if pool == nil {
			return nil, nil, false
		}
		p := properties(pool)
		return nil, map[string]any{"id": r.URL.Path, "name": "default", "properties": map[string]any{
			"kubernetesVersion": p["orchestratorVersion"], "osType": p["osType"], "latestNodeImageVersion": p["nodeImageVersion"]}}, true
	case strings.HasSuffix(path, "/providers/microsoft.authorization/roleassignments"):
		scope, _, _ := strings.Cut(path, "/providers/microsoft.authorization/")
		return e.roles(scope), nil, true
	}
	return nil, nil, false
}

// view returns the instance view of a VM. The view of a scale set counts its VMs and their extensions by state.
func (e *Emulator) view(id string) map[string]any {
	stored, _ := properties(e.resources[id])["instanceView"].(map[string]any)
	view := copyOf(stored)
	if view == nil {
		view = map[string]any{"statuses": []any{map[string]any{"code": "ProvisioningState/succeeded", "level": "Info"}}}
	}
	if !strings.HasSuffix(id[:strings.LastIndexByte(id, '/')], "/virtualmachinescalesets") || view["virtualMachine"] != nil {
		return view
	}
	machines, extensions := map[string]int{}, map[string]map[string]int{}
	for _, vm := range e.children(id + "/virtualmachines") {
		p := properties(vm)
		state, _ := p["provisioningState"].(string)
		machines["ProvisioningState/"+strings.ToLower(state)]++
		inside, _ := p["instanceView"].(map[string]any)
		list, _ := inside["extensions"].([]any)
		for _, x := range list {
			extension, _ := x.(map[string]any)
			name, _ := extension["name"].(string)
			statuses, _ := extension["statuses"].([]any)
			for _, s := range statuses {
				code, _ := s.(map[string]any)["code"].(string)
				if extensions[name] == nil {
					extensions[name] = map[string]int{}
				}
				extensions[name][code]++
			}
		}
	}
	view["virtualMachine"] = map[string]any{"statusesSummary": summary(machines)}
	all := []any{}
	for _, name := range slices.Sorted(maps.Keys(extensions)) {
		all = append(all, map[string]any{"name": name, "statusesSummary": summary(extensions[name])})
	}
	view["extensions"] = all
	return view
}

func summary(counts map[string]int) []any {
	out := []any{}
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, map[string]any{"code": code, "count": counts[code]})
	}
	return out
}

// policies returns the policy states in the scope.
func (e *Emulator) policies(scope string) []map[string]any {
	var out []map[string]any
	for _, s := range e.policyStates {
		if id, _ := s["resourceId"].(string); strings.HasPrefix(key(id), scope+"/") {
			out = append(out, s)
		}
	}
	return out
}

// roles returns the role assignments that apply to the scope: at, above or below it.
func (e *Emulator) roles(scope string) []map[string]any {
	var out []map[string]any
	for id, r := range e.resources {
		at, _, found := strings.Cut(id, "/providers/microsoft.authorization/roleassignments/")
		if !found || !strings.HasPrefix(scope+"/", at+"/") && !strings.HasPrefix(at+"/", scope+"/") {
			continue
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b map[string]any) int { return strings.Compare(a["id"].(string), b["id"].(string)) })
	return out
}
