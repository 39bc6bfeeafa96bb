package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// The certainty of a cloud error depends on other evidence: one place alone, a clean state, a matching state, and two independent
// places.
func TestCertaintyOf(t *testing.T) {
	const cluster = "/subscriptions/0/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks"
	const subnet = "/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes"
	in := knowledge(t)
	for _, c := range []struct{ cause, code, message, clean, agrees string }{
		{"cloud-quota-exceeded", "OperationNotAllowed", "exceeding approved standardDSv5Family Cores quota. Current Limit: 10, Current Usage: 8, Additional Required: 4",
			`{"name": {"value": "cores"}, "currentValue": 1, "limit": 100}`, `{"name": {"value": "cores"}, "currentValue": 98, "limit": 100}`},
		{"cloud-public-ip-limit", "PublicIPCountLimitReached", "Cannot create more than 20 public IP addresses for this subscription in this region.",
			`{"name": {"value": "PublicIPAddresses"}, "currentValue": 1, "limit": 20}`, `{"name": {"value": "PublicIPAddresses"}, "currentValue": 20, "limit": 20}`},
		{"cloud-policy-denied", "RequestDisallowedByPolicy", "Resource 'x' was disallowed by policy.",
			`{"complianceState": "Compliant", "policyDefinitionAction": "deny", "policyAssignmentName": "tags"}`, `{"complianceState": "NonCompliant", "policyDefinitionAction": "deny", "policyAssignmentName": "tags"}`},
		{"cloud-capacity-unavailable", "SkuNotAvailable", "The requested VM size Standard_D4s_v5 is currently not available in location region.",
			`{"name": "Standard_D4s_v5", "resourceType": "virtualMachines", "locationInfo": [{"zones": []}], "restrictions": []}`,
			`{"name": "Standard_D4s_v5", "resourceType": "virtualMachines", "locationInfo": [{"zones": []}], "restrictions": [{"type": "Location", "reasonCode": "NotAvailableForSubscription"}]}`},
		{"cloud-resource-locked", "ScopeLocked", "following scope(s) are locked: '/subscriptions/0/resourceGroups/MC_rg'.", "",
			`{"id": "/subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Authorization/locks/keep", "type": "Microsoft.Authorization/locks", "level": "ReadOnly", "name": "keep"}`},
	} {
		pool := fmt.Sprintf(`{"id": "%s/agentPools/np1", "name": "np1", "vmSize": "Standard_D4s_v5", "nodeImageVersion": "i", "vnetSubnetID": %q, "provisioningState": "Failed",
			"status": {"provisioningError": {"code": %q, "message": %q}}}`, cluster, subnet, c.code, c.message)
		activity := fmt.Sprintf(`{"eventTimestamp": "2026-03-01T09:00:00Z", "operationName": {"value": "x/write"}, "operationId": "o", "status": {"value": "Failed"}, "resourceId": "%s/agentPools/np1",
			"properties": {"statusMessage": %q}}`, cluster, fmt.Sprintf(`{"error": {"code": %q, "message": %q}}`, c.code, c.message))
		for _, s := range []struct {
			name  string
			files []string
			want  triage.Certainty
		}{
			{"one place", []string{pool}, triage.Likely},
			{"one place, the state is clean", []string{pool, c.clean}, triage.Likely},
			{"one place, the state agrees", []string{pool, c.agrees}, triage.Certain},
			{"two places", []string{pool, activity}, triage.Certain},
			{"two places, the state is clean", []string{pool, activity, c.clean}, triage.Likely},
		} {
			if strings.HasSuffix(s.name, "clean") && c.clean == "" {
				continue // missing locks look the same as locks that were not read
			}
			t.Run(c.cause+", "+s.name, func(t *testing.T) {
				b := collect.NewBuilder(evidence.Source{}, in.Signatures)
				for i, text := range s.files {
					b.AddStream(fmt.Sprintf("%d.json", i), strings.NewReader(text))
				}
				in := in
				in.Snapshot, in.Rulebook = b.Snapshot(), rules.All()
				r := triage.Run(in)
				for _, f := range r.Findings {
					if f.Cause == c.cause {
						if f.Certainty != s.want {
							t.Errorf("%s, want %s: %s", f.Certainty, s.want, f.Summary)
						}
						return
					}
				}
				t.Errorf("was not found among %d findings", len(r.Findings))
			})
		}
	}
}
