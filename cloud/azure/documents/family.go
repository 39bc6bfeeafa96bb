package documents

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// allCores reports whether a quota counts all cores of the region: az names it in two ways.
func allCores(quota string) bool {
	return strings.EqualFold(quota, "cores") || strings.Contains(strings.ToLower(quota), "regional vcpus")
}

// sizeParts are the letters of a size without the number of its cores, its accelerator and its version (Standard_NC24ads_A100_v4);
// familyParts is the same of its family's quota, whose version may come before the accelerator (standardDSv5Family, Standard NCASv3_T4
// Family vCPUs).
var (
	sizeParts   = lazyregexp.New(`^standard_([a-z]+?)\d*(?:-\d+)?([a-z]*?)(?:_([a-z]{1,3}\d+[a-z]?))??(?:_(v\d+))?$`)
	familyParts = lazyregexp.New(`^(?:standard)?[_ ]?([a-z]+?)(v\d+)?[_ ]?((?:[a-z]{1,2}\d+[a-z]?)?)[_ ]?(v\d+)?[_ ]?family`)
)

// family is what a size and the quota of its family have in common: dsv5, ncadsa100v4. It is "" for a name of another form.
func family(name string) string {
	name = strings.ToLower(name)
	if m := sizeParts.FindStringSubmatch(name); m != nil {
		return m[1] + m[2] + m[3] + m[4]
	}
	if m := familyParts.FindStringSubmatch(name); m != nil {
		return m[1] + m[3] + m[2] + m[4]
	}
	return ""
}

// coresPart is the number of cores in the name of a size. A constrained one has two numbers (Standard_E16-4s_v5).
var coresPart = lazyregexp.New(`^standard_[a-z]+?(\d+)[a-z_]`)

// cores are those of one machine of the size.
func cores(size string) evidence.CloudCount {
	if m := coresPart.FindStringSubmatch(strings.ToLower(size)); m != nil && family(size) != "" {
		return number(m[1])
	}
	return evidence.CloudCount{}
}

// machineGroup is how the name begins that AKS gives the group of a cluster's machines: MC_GROUP_CLUSTER_REGION.
func machineGroup(group, cluster string) string {
	if group == "" || cluster == "" {
		return ""
	}
	return "MC_" + group + "_" + cluster + "_"
}
