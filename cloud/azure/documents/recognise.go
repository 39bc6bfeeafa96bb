package documents

import (
	"cmp"
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
	has := func(keys ...string) bool {
		for _, k := range keys {
			if tree[k] == nil {
				return false
			}
		}
		return true
	}
	switch {
	case has("nodeImageVersion"):
		return "pool"
	case has("kubernetesVersion", "nodeResourceGroup") || has("kubernetesVersion", "provisioningState"):
		return "cluster"
	case has("complianceState"):
		return "policy"
	case has("locationInfo", "resourceType"):
		return "sku"
	case has("environmentName", "state"), isSubscription(id):
		return "subscription"
	case has("registrationState"):
		return "provider"
	case has("category", "endpoints"):
		return "required-outbound"
	case has("currentValue", "limit"):
		return "quota"
	case has("vmAgent"), has("computerName"), has("instanceId", "latestModelApplied"):
		return "instance"
	case has("virtualMachine"):
		return "scale-set"
	}
	return "other"
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
	for _, k := range []string{"provisioningState", "instanceView", "vmAgent", "latestModelApplied", "nodeResourceGroup", "statusMessage", "provisioningError", "complianceState",
		"locationInfo", "environmentName"} {
		if _, ok := tree[k]; ok {
			return true
		}
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
	if _, summary := lookup(tree, "virtualMachine.statusesSummary"); summary {
		return true
	}
	if _, required := tree["endpoints"]; required && text(tree, "category") != "" {
		return true
	}
	_, usage := tree["currentValue"]
	return usage && tree["limit"] != nil || resourceTypes[strings.ToLower(text(tree, "type"))] != "" || strings.HasPrefix(text(tree, "id"), "/subscriptions/")
}

// cloudName returns the display name of the resource.
func cloudName(tree map[string]any) string {
	if name := text(tree, "name", "name.value", "computerName"); name != "" {
		return name
	}
	id := cmp.Or(text(tree, "id", "resourceId"), text(tree, "instanceId"))
	return id[strings.LastIndexByte(id, '/')+1:]
}
