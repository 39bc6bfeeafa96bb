package documents

import (
	"cmp"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Place parses the ID of a standalone VM or a scale set instance.
func (Decoder) Place(providerID string) (cloud.Place, bool) {
	id, ok := strings.CutPrefix(providerID, "azure://")
	if !ok {
		return cloud.Place{}, false
	}
	return cloud.Place{
		Group: partOfID(id, "resourceGroups"), Set: partOfID(id, "virtualMachineScaleSets"), Number: partOfID(id, "virtualMachines"),
	}, true
}

// pasteable matches names that need no quotes in a shell.
var pasteable = lazyregexp.New(`^[A-Za-z0-9._-]{1,120}$`)

// Asking returns the az commands for the subscription of the first node and for the machines of its scale set.
func (d Decoder) Asking(about cloud.Scope) (ask cloud.Asking, ok bool) {
	for _, id := range about.ProviderIDs {
		subscription := partOfID(id, "subscriptions")
		p, known := d.Place(id)
		if !known || !pasteable.MatchString(subscription) {
			continue
		}
		of := shell.Format(" --subscription {subscription}", subscription)
		ask = cloud.Asking{
			State: "az aks list" + of + clusterOf(p.Group, about.Labels) + " -o json",
			Log:   "az monitor activity-log list" + of + " --offset 1d --max-events 1000 -o json",
		}
		switch {
		case !pasteable.MatchString(cmp.Or(p.Group, " ")):
		case p.Set == "":
			ask.Machines = "az vm list" + of + shell.Format(" -g {group} -d -o json", p.Group)
		case pasteable.MatchString(p.Set):
			ask.Machines = "az vmss list-instances" + of + shell.Format(" -g {group} -n {scale-set} --expand instanceView -o json", p.Group, p.Set)
		}
		return ask, true
	}
	return cloud.Asking{}, false
}

// clusterOf returns a filter for the cluster of these nodes. The comparison is case-sensitive, and the node label has
// the group name in the case of the cluster.
func clusterOf(group string, nodes []map[string]string) shell.Text {
	for _, labels := range nodes {
		if name := labels["kubernetes.azure.com/cluster"]; strings.EqualFold(name, group) && pasteable.MatchString(name) {
			return shell.Format(` --query "[?nodeResourceGroup=='{group}']"`, name)
		}
	}
	return ""
}
