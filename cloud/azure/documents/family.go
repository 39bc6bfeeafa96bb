package documents

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// allCores reports whether a quota counts all cores of the region. az has two names for it.
func allCores(quota string) bool {
	return strings.EqualFold(quota, "cores") || strings.Contains(strings.ToLower(quota), "regional vcpus")
}

// sizeParts are the letters of a size without core count, accelerator and version (Standard_NC24ads_A100_v4).
// familyParts are those of its family quota, whose version may come before the accelerator (standardDSv5Family,
// Standard NCASv3_T4 Family vCPUs).
var (
	sizeParts   = lazyregexp.New(`^standard_([a-z]+?)\d*(?:-\d+)?([a-z]*?)(?:_([a-z]{1,3}\d+[a-z]?))??(?:_(v\d+))?$`)
	familyParts = lazyregexp.New(`^(?:standard)?[_ ]?([a-z]+?)(v\d+)?[_ ]?((?:[a-z]{1,2}\d+[a-z]?)?)[_ ]?(v\d+)?[_ ]?family`)
)

// family returns the common part of a size and its family quota: dsv5, ncadsa100v4. It returns "" for other names.
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

// coresPart matches the core count in the name of a size. A constrained size has two numbers (Standard_E16-4s_v5).
var coresPart = lazyregexp.New(`^standard_[a-z]+?(\d+)[a-z_]`)

// cores returns the cores of one machine of the size.
func cores(size string) evidence.CloudCount {
	if m := coresPart.FindStringSubmatch(strings.ToLower(size)); m != nil && family(size) != "" {
		return number(m[1])
	}
	return evidence.CloudCount{}
}

// machineGroup returns the prefix of the default name of a node resource group: MC_GROUP_CLUSTER_REGION.
func machineGroup(group, cluster string) string {
	if group == "" || cluster == "" {
		return ""
	}
	return "MC_" + group + "_" + cluster + "_"
}
