package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// cloudConfirmed holds what an error of the cloud said against the cloud's state now. A code that the state agrees with
// is proven; where the state was read and does not show it, the code was the cause then and may be gone.
var cloudConfirmed = &triage.Rule{
	ID:  "cloud-confirmed",
	Doc: "Compares errors that the cloud gave with its quotas, locks, policies and identities as they are now.",
	Check: func(p *triage.Pass) {
		for _, cause := range []string{"cloud-quota-exceeded", "cloud-public-ip-limit", "cloud-resource-locked", "cloud-policy-denied", "cloud-credentials-expired"} {
			lines := linesSaying(p, cause)
			proof, read := stateOf(p, cause)
			switch {
			case len(lines) == 0:
				if read && len(proof) == 0 {
					p.RuleOut(cause, evidence.ClusterSubject(), "the cloud gave no such error, and its state shows nothing of it")
				}
			case !read:
				p.Unknown("whether "+strings.TrimPrefix(cause, "cloud-")+" still holds", "the state behind the error was not read", readBy[cause])
			case len(proof) == 0:
				p.Unknown("whether "+strings.TrimPrefix(cause, "cloud-")+" still holds", "the cloud's state does not show it any more: it was the cause when the error was given",
					"repeat the failed operation")
			default:
				seen := map[evidence.Subject]bool{}
				for _, m := range lines {
					if seen[m.Subject] {
						continue
					}
					seen[m.Subject] = true
					p.Found(triage.Claim{
						Says: cause, Subject: m.Subject, Confidence: triage.Certain, Key: "state", Since: m.First,
						Evidence: append([]evidence.Ref{m.Ref}, proof...), Summary: proof[0].Text,
					})
				}
			}
		}
	},
}

// readBy says how to read the state behind an error.
var readBy = map[string]string{
	"cloud-quota-exceeded": "az vm list-usage -l <region>", "cloud-public-ip-limit": "az network list-usages -l <region>",
	"cloud-resource-locked": "az lock list -g <group>, and of the node resource group", "cloud-policy-denied": "az policy state list -g <node-resource-group>",
	"cloud-credentials-expired": "az aks show --query servicePrincipalProfile",
}

// stateOf is what in the cloud's state agrees with the cause, and whether that state was read at all.
func stateOf(p *triage.Pass, cause string) (proof []evidence.Ref, read bool) {
	switch cause {
	case "cloud-quota-exceeded", "cloud-public-ip-limit":
		for _, q := range resources(p, "quota") {
			if strings.Contains(strings.ToLower(q.Name), "publicipaddresses") != (cause == "cloud-public-ip-limit") {
				continue
			}
			read = true
			used, err1 := strconv.Atoi(q.Properties["currentValue"])
			limit, err2 := strconv.Atoi(q.Properties["limit"])
			if err1 == nil && err2 == nil && limit > 0 && used*10 >= limit*9 { // what is asked for is more than one
				proof = append(proof, cloudRef(q, "usage", fmt.Sprintf("quota %s: %d of %d used", q.Name, used, limit)))
			}
		}
	case "cloud-resource-locked":
		for _, l := range resources(p, "lock") {
			proof = append(proof, cloudRef(l, "level", fmt.Sprintf("lock %s (%s) on %s", l.Name, orUnknown(l.Properties["level"]), lockedScope(l))))
		}
		return proof, len(proof) > 0
	case "cloud-policy-denied":
		for _, s := range resources(p, "policy") {
			read = true
			if strings.EqualFold(s.Properties["policyDefinitionAction"], "deny") && strings.EqualFold(s.Properties["complianceState"], "NonCompliant") {
				proof = append(proof, cloudRef(s, "state", "policy assignment "+s.Properties["policyAssignmentName"]+" denies "+s.Properties["policyDefinitionName"]))
			}
		}
	case "cloud-credentials-expired":
		for _, c := range resources(p, "cluster") {
			if id := c.Properties["clientId"]; id != "" {
				read = true
				if !strings.EqualFold(id, "msi") {
					proof = append(proof, cloudRef(c, "servicePrincipalProfile", "the cluster uses service principal "+id))
				}
			}
		}
	}
	return proof, read
}

// lockedScope is what a lock lies on.
func lockedScope(l *evidence.CloudResource) string {
	scope, _, _ := strings.Cut(l.ID, "/providers/Microsoft.Authorization/")
	return orUnknown(lastSegment(scope))
}
