package azure

import (
	"slices"

	"github.com/nodetriage/nodetriage/cloud"
)

// groupsOf are the names of the resource groups of the nodes' machines, as AKS writes them into a label.
func groupsOf(about cloud.Scope) (groups []string) {
	for _, labels := range about.Labels {
		if group := labels["kubernetes.azure.com/cluster"]; group != "" && !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

// cutOff reports whether AKS' node problem detector says that nodes do not reach the outside.
func cutOff(about cloud.Scope) bool { return slices.Contains(about.Reasons, "EgressBlocked") }
