package documents

import (
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// targetValues reads the destinations and enabled categories of a diagnostic setting.
func targetValues(r *resource, tree map[string]any) {
	var to, kinds []string
	for _, key := range []string{"workspaceId", "storageAccountId", "eventHubName", "eventHubAuthorizationRuleId", "marketplacePartnerId"} {
		if id := field(tree, key); id != "" {
			to = append(to, wording.Cut(id, maxName))
		}
	}
	for _, key := range []string{"logs", "metrics"} {
		for _, one := range inProperties(tree, key) {
			if name := text(one, "category", "categoryGroup"); name != "" && one["enabled"] == true {
				kinds = append(kinds, wording.Cut(name, maxName))
			}
		}
	}
	r.Properties["logTargets"], r.Properties["logKinds"] = strings.Join(to, ","), wording.Cut(strings.Join(kinds, ","), maxEvidence)
}

// targetOf returns the name of the resource of the diagnostic setting with this ID.
func targetOf(id string) string {
	i := strings.LastIndex(strings.ToLower(id), "/providers/microsoft.insights/")
	return id[strings.LastIndexByte(id[:max(i, 0)], '/')+1 : max(i, 0)]
}
