package rules_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// codes has one error of each rank, the highest first.
var codes = []struct{ cause, code, message string }{
	{"cloud-resource-locked", "ScopeLocked", "cannot perform delete operation because following scope(s) are locked: '/subscriptions/0/resourceGroups/MC_rg'."},
	{"cloud-permission-denied", "LinkedAuthorizationFailed", "The client has permission to perform action but does not have permission on the linked scope."},
	{"cloud-quota-exceeded", "OperationNotAllowed", "Operation could not be completed as it results in exceeding approved standardDSv5Family Cores quota. Current Limit: 10, Current Usage: 8, Additional Required: 4"},
	{"provision-outbound-blocked", "VMExtensionProvisioningError", "Enable failed: failed to execute command: command terminated with exit status=50"},
	{"drain-blocked-pdb", "UpgradeFailed", "Drain node aks-np1-12345678-vmss000002 failed when evicting pod shop/web-0: Cannot evict pod as it would violate the pod's disruption budget. Pod shop/web-0 blocked by pdb web with 0 unready pods."},
	{"cloud-operation-conflict", "OperationNotAllowed", "Another operation (Upgrading) is in progress, please wait for it to finish before starting a new operation."},
	{"cloud-api-throttled", "TooManyRequestsReceived", "The number of requests for this subscription is too high."},
	{"cloud-service-error", "InternalServerError", "The service met an internal error."},
}

// If one operation, one failed pool or the machines of one scale set have several codes, the first finding is the one of the
// highest rank, in any order of input. The others are found too.
func TestSeveralCodes(t *testing.T) {
	const cluster = "/subscriptions/0/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks"
	const set = "/subscriptions/0/resourceGroups/mc_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-12345678-vmss"
	doc := func(v any) string {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	type tree = map[string]any
	forms := map[string]func(a, b tree) []string{
		"details of one operation": func(a, b tree) []string {
			body := doc(tree{"status": "Failed", "error": tree{"code": "ResourceOperationFailure", "message": "it failed", "details": []tree{a, b}}})
			return []string{doc(tree{"eventTimestamp": "2026-03-01T09:00:00Z", "operationName": tree{"value": "x/write"}, "operationId": "o", "status": tree{"value": "Failed"}, "resourceId": set, "properties": tree{"statusMessage": body}})}
		},
		"one inside of the other": func(a, b tree) []string {
			a["details"] = []tree{b}
			return []string{doc(tree{"id": cluster + "/agentPools/np1", "name": "np1", "nodeImageVersion": "i", "provisioningState": "Failed", "status": tree{"provisioningError": a}})}
		},
		"instances of one set": func(a, b tree) []string {
			var out []string
			for i, e := range []tree{a, b} {
				out = append(out, doc(tree{"id": fmt.Sprintf("%s/virtualMachines/%d", set, i), "name": fmt.Sprintf("aks-np1-12345678-vmss_%d", i), "instanceId": fmt.Sprint(i), "provisioningState": "Failed",
					"instanceView": tree{"statuses": []tree{{"code": "ProvisioningState/failed/" + e["code"].(string), "level": "Error", "message": e["message"]}}}}))
			}
			return out
		},
	}
	in := knowledge(t)
	for name, form := range forms {
		for i, high := range codes {
			for _, low := range codes[i+1:] {
				for _, swapped := range []bool{false, true} {
					a, b := tree{"code": high.code, "message": high.message, "target": "0"}, tree{"code": low.code, "message": low.message, "target": "1"}
					if swapped {
						a, b = b, a
					}
					builder := collect.NewBuilder(evidence.Source{}, in.Signatures)
					for i, text := range form(a, b) {
						builder.AddStream(fmt.Sprintf("%d.json", i), strings.NewReader(text))
					}
					in := in
					in.Snapshot, in.Rulebook = builder.Snapshot(), rules.All()
					found := triage.Run(in).Findings
					var causes []string
					for _, f := range found {
						causes = append(causes, f.Cause)
					}
					if len(causes) == 0 || causes[0] != high.cause || !slices.Contains(causes, low.cause) && low.cause != "cloud-service-error" { // a failed machine, or an error with more detail in its text
						t.Errorf("%s, %s and %s, swapped %v: found %v", name, high.code, low.code, swapped, causes)
					}
				}
			}
		}
	}
}
