package documents

import (
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// skuValues reads the core count of a size, and its restrictions for this subscription.
func skuValues(r *resource, tree map[string]any) {
	r.Properties["family"] = wording.Cut(text(tree, "family"), maxName)
	for _, c := range objectsIn(tree, "capabilities") {
		if text(c, "name") == "vCPUs" {
			r.Properties["vCPUs"] = wording.Cut(text(c, "value"), maxName)
		}
	}
	for _, x := range objectsIn(tree, "restrictions") {
		reason := wording.Cut(text(x, "reasonCode"), maxName)
		if strings.EqualFold(text(x, "type"), "Zone") {
			r.Properties["restrictedZones"] = wording.Cut(strings.Join(stringsIn(x, "restrictionInfo.zones"), ","), maxName)
		} else {
			r.Properties["restricted"] = reason
		}
		r.Properties["restriction"] = reason
	}
}

// admittedValues reads the authorized IP ranges of the API server. az and the API name them differently.
func admittedValues(r *resource, tree map[string]any) {
	ranges := append(stringsIn(tree, "apiServerAccessProfile.authorizedIPRanges"), stringsIn(tree, "apiServerAccessProfile.authorizedIpRanges")...)
	if len(ranges) > 0 {
		r.Properties["authorizedIPRanges"] = wording.Cut(strings.Join(ranges, ","), maxName)
	}
}

// identityValues reads the identity of a cluster: system-assigned or user-assigned.
func identityValues(r *resource, tree map[string]any) {
	assigned, _ := lookup(tree, "identity.userAssignedIdentities")
	list, _ := assigned.(map[string]any)
	for _, v := range list {
		if one, ok := v.(map[string]any); ok && len(list) == 1 && r.Properties["identity"] == "" {
			r.Properties["identity"] = wording.Cut(text(one, "principalId"), maxName)
		}
	}
}
