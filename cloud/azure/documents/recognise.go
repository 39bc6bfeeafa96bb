package documents

import (
	"cmp"
	"slices"
	"strings"
)

// resourceTypes map Azure resource types in lower case to the kinds of evidence.CloudResource.
var resourceTypes = map[string]string{
	"microsoft.containerservice/managedclusters":                            "cluster",
	"microsoft.containerservice/managedclusters/agentpools":                 "pool",
	"microsoft.containerservice/managedclusters/agentpools/machines":        "machine",
	"microsoft.containerservice/managedclusters/agentpools/upgradeprofiles": "pool-upgrade",
	"microsoft.containerservice/managedclusters/upgradeprofiles":            "cluster-upgrade",
	"microsoft.containerservice/managedclusters/maintenanceconfigurations":  "maintenance",
	"microsoft.compute/virtualmachinescalesets":                             "scale-set",
	"microsoft.compute/virtualmachinescalesets/virtualmachines":             "instance",
	"microsoft.compute/virtualmachines":                                     "instance",
	"microsoft.compute/availabilitysets":                                    "availability-set",
	"microsoft.compute/locations/usages":                                    "quota",
	"microsoft.network/locations/usages":                                    "quota",
	"microsoft.network/virtualnetworks/subnets":                             "subnet",
	"microsoft.network/networksecuritygroups":                               "security-group",
	"microsoft.network/networksecuritygroups/securityrules":                 "security-rule",
	"microsoft.network/routetables":                                         "route-table",
	"microsoft.authorization/locks":                                         "lock",
	"microsoft.authorization/roleassignments":                               "role-assignment",
	"microsoft.authorization/denyassignments":                               "deny-assignment",
	"microsoft.authorization/policyassignments":                             "policy-assignment",
	"microsoft.authorization/policyexemptions":                              "policy-exemption",
	"microsoft.policyinsights/policystates":                                 "policy",
	"microsoft.resourcehealth/availabilitystatuses":                         "health",
	"microsoft.resourcehealth/childavailabilitystatuses":                    "health",
	"microsoft.resourcehealth/events":                                       "service-event",
	"microsoft.resources/subscriptions":                                     "subscription",
	"microsoft.operationalinsights/workspaces":                              "workspace",
	"microsoft.insights/diagnosticsettings":                                 "log-target",
}

// stateTypes are types that describe state but no failure, so their texts are not messages.
var stateTypes = map[string]bool{
	"sku": true, "maintenance": true, "pool-upgrade": true, "cluster-upgrade": true, "role-assignment": true, "deny-assignment": true,
	"policy-assignment": true, "policy-exemption": true, "health": true, "service-event": true, "subscription": true, "provider": true,
	"required-outbound": true, "lock": true, "security-rule": true, "log-target": true,
}

// cloudType returns the type of the resource: from its ID, its type, or fields that only this type has.
func cloudType(tree map[string]any) string {
	id := text(tree, "id")
	for _, typ := range []string{typeOfID(id), strings.ToLower(text(tree, "type"))} {
		if kind := resourceTypes[typ]; kind != "" {
			return kind
		}
	}
	for _, t := range typicalFields {
		subscription := t.kind == "subscription" && isSubscription(id)
		if subscription || hasAll(tree, t.fields) {
			return t.kind
		}
	}
	return "other"
}

// typicalFields are fields that only resources of one type have, in order.
var typicalFields = []struct {
	kind   string
	fields []string
}{
	{"pool", []string{"nodeImageVersion"}},
	{"cluster", []string{"kubernetesVersion", "nodeResourceGroup"}},
	{"cluster", []string{"kubernetesVersion", "provisioningState"}},
	{"policy", []string{"complianceState"}},
	{"sku", []string{"locationInfo", "resourceType"}},
	{"subscription", []string{"environmentName", "state"}},
	{"provider", []string{"registrationState"}},
	{"required-outbound", []string{"category", "endpoints"}},
	{"quota", []string{"currentValue", "limit"}},
	{"instance", []string{"vmAgent"}},
	{"instance", []string{"computerName"}},
	{"instance", []string{"instanceId", "latestModelApplied"}},
	{"scale-set", []string{"virtualMachine"}},
}

func hasAll(tree map[string]any, fields []string) bool {
	return !slices.ContainsFunc(fields, func(f string) bool { return tree[f] == nil })
}

// typeOfID returns the type in a resource ID: the provider, and every other part after it.
func typeOfID(id string) string {
	low := strings.ToLower(id)
	i := strings.LastIndex(low, "/providers/")
	if i < 0 {
		return ""
	}
	parts := strings.Split(strings.Trim(low[i+len("/providers/"):], "/"), "/")
	typ := parts[0]
	for i := 1; i < len(parts); i += 2 {
		typ += "/" + parts[i]
	}
	return typ
}

func isSubscription(id string) bool {
	name, found := strings.CutPrefix(strings.ToLower(id), "/subscriptions/")
	return found && name != "" && !strings.Contains(name, "/")
}

// partOfID returns the name after a segment of an ID, such as the pool after agentPools.
func partOfID(id, word string) string {
	parts := strings.Split(id, "/")
	for i := 0; i+1 < len(parts); i++ {
		if strings.EqualFold(parts[i], word) {
			return parts[i+1]
		}
	}
	return ""
}

// cloudLike detects cloud JSON by fields that no other JSON has.
func cloudLike(tree map[string]any, depth int) bool {
	if text(tree, "eventTimestamp", "nodeImageVersion", "agentPoolType", "registrationState") != "" {
		return true
	}
	if slices.ContainsFunc(cloudFields, func(f string) bool { _, ok := tree[f]; return ok }) {
		return true
	}
	if props, ok := tree["properties"].(map[string]any); ok && depth < 3 {
		return cloudLike(props, depth+1) || strings.HasPrefix(text(tree, "id"), "/subscriptions/")
	}
	if inner, ok := tree["error"].(map[string]any); ok {
		return text(inner, "code", "Code") != ""
	}
	if text(tree, "code", "Code") != "" && text(tree, "message", "Message") != "" {
		return true
	}
	return cloudPart(tree) || resourceTypes[strings.ToLower(text(tree, "type"))] != "" || strings.HasPrefix(text(tree, "id"), "/subscriptions/")
}

// cloudFields are fields that no other JSON has, even without a value.
var cloudFields = []string{
	"provisioningState", "instanceView", "vmAgent", "latestModelApplied", "nodeResourceGroup", "statusMessage", "provisioningError", "complianceState",
	"locationInfo", "environmentName",
}

// cloudPart detects objects without the ID or type of a resource: a summary of machines, a required endpoint, a quota.
func cloudPart(tree map[string]any) bool {
	_, summary := lookup(tree, "virtualMachine.statusesSummary")
	_, endpoints := tree["endpoints"]
	_, value := tree["currentValue"]
	required := endpoints && text(tree, "category") != ""
	quota := value && tree["limit"] != nil
	return summary || required || quota
}

// cloudName returns the display name of the resource.
func cloudName(tree map[string]any) string {
	if name := text(tree, "name", "name.value", "computerName"); name != "" {
		return name
	}
	id := cmp.Or(text(tree, "id", "resourceId"), text(tree, "instanceId"))
	return id[strings.LastIndexByte(id, '/')+1:]
}
