package azure

import (
	"slices"

	"github.com/nodetriage/nodetriage/cloud"
)

// groupsOf returns the names of the node resource groups from the node labels that AKS sets.
func groupsOf(about cloud.Scope) (groups []string) {
	for _, labels := range about.Labels {
		if group := labels["kubernetes.azure.com/cluster"]; group != "" && !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

// cutOff reports whether the AKS node problem detector reports blocked egress.
func cutOff(about cloud.Scope) bool { return slices.Contains(about.Reasons, "EgressBlocked") }
