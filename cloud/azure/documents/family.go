package documents

import (
	"strings"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

// allCores reports whether a quota counts all cores of the region: az names it in two ways.
func allCores(quota string) bool {
	return strings.EqualFold(quota, "cores") || strings.Contains(strings.ToLower(quota), "regional vcpus")
}

// sizeParts are the letters and the version of a size (Standard_D4s_v5) or of its family's quota (standardDSv5Family, Standard DSv5 Family vCPUs).
var sizeParts = lazyregexp.New(`^(?:standard)?[_ ]?([a-z]+?)\d*(?:-\d+)?([a-z]*?)_?(?:(v\d+))?(?:[_ ]?family.*)?$`)

// family is what a size and the quota of its family have in common: dsv5. It is "" for a name of another form.
func family(name string) string {
	name = strings.ToLower(name)
	m := sizeParts.FindStringSubmatch(name)
	if m == nil || !strings.HasPrefix(name, "standard_") && !strings.Contains(name, "family") {
		return ""
	}
	return m[1] + m[2] + m[3]
}

// machineGroup is how the name begins that AKS gives the group of a cluster's machines: MC_GROUP_CLUSTER_REGION.
func machineGroup(group, cluster string) string {
	if group == "" || cluster == "" {
		return ""
	}
	return "MC_" + group + "_" + cluster + "_"
}
