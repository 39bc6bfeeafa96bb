package collect

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

const maxWindow = 4 << 10 // bytes of a maintenance configuration

// windowValues keeps the window of a maintenance configuration in the API's own form, which evidence.ReadWindow reads.
func windowValues(r *evidence.CloudResource, tree map[string]any) {
	for _, key := range []string{"maintenanceWindow", "timeInWeek", "notAllowedTime"} {
		for _, at := range []string{key, "properties." + key} {
			v, ok := lookup(tree, at)
			if !ok || v == nil {
				continue
			}
			if raw, err := json.Marshal(v); err == nil && len(raw) <= maxWindow {
				r.Properties[key] = string(raw)
			}
		}
	}
}

// skuValues reads how many cores a size has, where it is offered, and what keeps this subscription from it.
func skuValues(r *evidence.CloudResource, tree map[string]any) {
	r.Properties["family"] = Bound(text(tree, "family"), maxName)
	for _, c := range objectsIn(tree, "capabilities") {
		if text(c, "name") == "vCPUs" {
			r.Properties["vCPUs"] = Bound(text(c, "value"), maxName)
		}
	}
	var zones []string
	for _, place := range objectsIn(tree, "locationInfo") {
		zones = append(zones, stringsIn(place, "zones")...)
	}
	slices.Sort(zones)
	r.Properties["zones"] = Bound(strings.Join(slices.Compact(zones), ","), maxName)
	for _, x := range objectsIn(tree, "restrictions") {
		reason := Bound(text(x, "reasonCode"), maxName)
		if strings.EqualFold(text(x, "type"), "Zone") {
			r.Properties["restrictedZones"] = Bound(strings.Join(stringsIn(x, "restrictionInfo.zones"), ","), maxName)
		} else {
			r.Properties["restricted"] = reason
		}
		r.Properties["restriction"] = reason
	}
}

// admittedValues reads from which addresses the API server of a cluster may be reached; az and the API spell it in two ways.
func admittedValues(r *evidence.CloudResource, tree map[string]any) {
	ranges := append(stringsIn(tree, "apiServerAccessProfile.authorizedIPRanges"), stringsIn(tree, "apiServerAccessProfile.authorizedIpRanges")...)
	if len(ranges) > 0 {
		r.Properties["authorizedIPRanges"] = Bound(strings.Join(ranges, ","), maxName)
	}
}

// identityValues reads as whom a cluster acts: its own identity, or one that was assigned to it.
func identityValues(r *evidence.CloudResource, tree map[string]any) {
	assigned, _ := lookup(tree, "identity.userAssignedIdentities")
	list, _ := assigned.(map[string]any)
	for _, v := range list {
		if one, ok := v.(map[string]any); ok && len(list) == 1 && r.Properties["identity"] == "" {
			r.Properties["identity"] = Bound(text(one, "principalId"), maxName)
		}
	}
}
