package documents

import (
	"cmp"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// names returns the placeholders for az commands in the document: from IDs, region and size.
func names(tree map[string]any) map[string]string {
	out := map[string]string{}
	for _, id := range []string{text(tree, "id"), text(tree, "resourceId"), text(tree, "scope", "properties.scope")} {
		namesOfID(out, id)
	}
	put(out, "region", region(text(tree, "location", "resourceLocation")))
	switch cloudType(tree) {
	case "cluster":
		put(out, "cluster-id", text(tree, "id"))
		put(out, "cluster-group", text(tree, "resourceGroup"))
		put(out, "cluster-name", text(tree, "name"))
		put(out, "pool", failedPool(tree))
		put(out, "object-id", text(tree, "identity.principalId"))
		put(out, "node-resource-group", text(tree, "nodeResourceGroup", "properties.nodeResourceGroup"))
	case "pool":
		put(out, "pool", text(tree, "name"))
		put(out, "size", text(tree, "vmSize", "properties.vmSize"))
		put(out, "cluster-group", text(tree, "resourceGroup"))
		subnet := text(tree, "vnetSubnetId", "vnetSubnetID", "properties.vnetSubnetID")
		put(out, "subnet-id", subnet)
		put(out, "vnet-group", partOfID(subnet, "resourceGroups"))
		put(out, "vnet", partOfID(subnet, "virtualNetworks"))
		put(out, "cluster-name", text(tree, clusterOfRow))
	case "scale-set":
		namesOfSet(out, text(tree, "name"))
		put(out, "node-resource-group", text(tree, "resourceGroup"))
	case "lock":
		put(out, "lock-id", text(tree, "id"))
		put(out, "lock", text(tree, "name"))
		put(out, "lock-group", cmp.Or(partOfID(text(tree, "id"), "resourceGroups"), text(tree, "resourceGroup", "scope")))
		machinesIn(out, text(tree, "resourceGroup", "scope"))
	case "policy":
		if denies(text(tree, "policyDefinitionAction"), text(tree, "complianceState")) == evidence.True {
			put(out, "assignment", text(tree, "policyAssignmentName"))
			put(out, "assignment-id", text(tree, "policyAssignmentId"))
		}
		put(out, "resource-id", text(tree, "resourceId"))
	}
	if id := cmp.Or(text(tree, "resourceId"), text(tree, "id")); concerns(tree) && poolOf(id) != "" {
		put(out, "resource-id", id)
	}
	return out
}

// concerns reports whether the document is about a pool, or about a failed part of one.
func concerns(tree map[string]any) bool {
	return stage(text(tree, "provisioningState", "status.value", "status")) == evidence.StageFailed
}

// failedPool returns the only failed pool of a cluster, or "".
func failedPool(cluster map[string]any) (name string) {
	for _, pool := range inProperties(cluster, "agentPoolProfiles") {
		if stage(text(pool, "provisioningState")) != evidence.StageFailed {
			continue
		}
		if name != "" {
			return ""
		}
		name = text(pool, "name")
	}
	return name
}

// namesOfID returns the names in an ID.
func namesOfID(out map[string]string, id string) {
	group := partOfID(id, "resourceGroups")
	if cluster := partOfID(id, "managedClusters"); cluster != "" {
		put(out, "cluster-name", cluster)
		put(out, "cluster-group", group)
		put(out, "pool", partOfID(id, "agentPools"))
		return
	}
	if set := partOfID(id, "virtualMachineScaleSets"); set != "" {
		namesOfSet(out, set)
		put(out, "node-resource-group", group)
	}
	machinesIn(out, group)
}

// namesOfSet returns the name of a scale set and of its pool.
func namesOfSet(out map[string]string, set string) {
	put(out, "scale-set", set)
	put(out, "pool", poolOfSet(set))
}

// poolOfSet returns the pool in the name of a scale set, or "" if AKS did not name it.
func poolOfSet(set string) string {
	if m := poolInSet.FindStringSubmatch(strings.ToLower(set)); m != nil {
		return m[1]
	}
	return ""
}

// machinesIn returns the cluster of a node resource group with the default name MC_GROUP_CLUSTER_REGION.
func machinesIn(out map[string]string, group string) {
	of, made := cutFold(group, "MC_")
	if !made {
		return
	}
	put(out, "node-resource-group", group)
	if parts := strings.Split(of, "_"); len(parts) == 3 { // otherwise a name contains an underscore
		put(out, "cluster-group", parts[0])
		put(out, "cluster-name", parts[1])
		put(out, "region", region(parts[2]))
	}
}

// region returns the region name for commands: "westeurope" for "West Europe".
func region(location string) string { return strings.ToLower(strings.ReplaceAll(location, " ", "")) }

func put(out map[string]string, name, value string) {
	if value != "" && out[name] == "" {
		out[name] = wording.Cut(value, maxName)
	}
}

// poolOf returns the pool of the resource with this ID, if it is the pool, its scale set or part of it; "" otherwise.
func poolOf(id string) string {
	out := map[string]string{}
	namesOfID(out, id)
	return out["pool"]
}
