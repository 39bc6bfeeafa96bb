package check_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

const (
	aks    = "/subscriptions/0/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks"
	subnet = "/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes"
)

// managed returns the output of az for a managed cluster that is ready for its next upgrade, by name of the document.
func managed() map[string]string {
	return map[string]string{
		"cluster": `{"id": "` + aks + `", "name": "aks", "currentKubernetesVersion": "1.33.3", "kubernetesVersion": "1.33", "nodeResourceGroup": "MC_rg", "provisioningState": "Succeeded", "powerState": {"code": "Running"},
			"networkProfile": {"networkPlugin": "azure"}, "autoUpgradeProfile": {"nodeOsUpgradeChannel": "NodeImage"}}`,
		"pool": `{"id": "` + aks + `/agentPools/np1", "name": "np1", "count": 3, "maxPods": 30, "vmSize": "Standard_D4s_v5", "availabilityZones": ["1"], "currentOrchestratorVersion": "1.33.3", "nodeImageVersion": "AKSUbuntu-2204gen2containerd-202605.18.0",
			"provisioningState": "Succeeded", "powerState": {"code": "Running"}, "upgradeSettings": {"maxSurge": "1"}, "vnetSubnetId": "` + subnet + `"}`,
		"usage":  `[{"currentValue": "90", "limit": "100", "name": {"value": "cores"}}, {"currentValue": "90", "limit": "100", "name": {"value": "standardDSv5Family"}}, {"currentValue": "0", "limit": "3", "name": {"value": "lowPriorityCores"}}]`,
		"skus":   `[{"name": "Standard_D4s_v5", "resourceType": "virtualMachines", "family": "standardDSv5Family", "capabilities": [{"name": "vCPUs", "value": "4"}], "locationInfo": [{"zones": ["1", "2"]}], "restrictions": [{"type": "Zone", "reasonCode": "NotAvailableForSubscription", "restrictionInfo": {"zones": ["2"]}}]}]`,
		"room":   `[{"currentValue": 200, "limit": 251, "id": "` + subnet + `", "name": {"value": "SubnetSpace"}}]`,
		"window": `[{"id": "` + aks + `/maintenanceConfigurations/aksManagedNodeOSUpgradeSchedule", "name": "aksManagedNodeOSUpgradeSchedule", "maintenanceWindow": {"durationHours": 4, "schedule": {"daily": {"intervalDays": 1}}, "startTime": "00:00"}}]`,
		"nsg":    `{"id": "/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/networkSecurityGroups/n", "name": "n", "provisioningState": "Succeeded", "securityRules": []}`,
		"latest": `{"id": "` + aks + `/agentPools/np1/upgradeProfiles/default", "name": "default", "latestNodeImageVersion": "AKSUbuntu-2204gen2containerd-202605.18.0"}`,
		"nodes":  `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "aks-np1-1-vmss000000", "labels": {"kubernetes.azure.com/agentpool": "np1", "kubernetes.azure.com/node-image-version": "AKSUbuntu-2204gen2containerd-202605.18.0"}}}`,
	}
}

// Each check of the cloud: its findings, similar cases without a finding, and unknown cases.
func TestCloudReadiness(t *testing.T) {
	for _, c := range []struct {
		name, check string
		change      map[string][2]string // of a document: replacements
		without     string
		detail      string // of the weakness; "": passed; "?": not checked
	}{
		{"all is well", "", nil, "", ""},
		{"failed pool", "cloud-state", map[string][2]string{"pool": {"Succeeded", "Failed"}}, "", "the state of its last operation is Failed"},
		{"unknown state", "cloud-state", map[string][2]string{"pool": {"Succeeded", "Moving"}}, "", "an operation is in progress: Moving"},
		{"state not read", "cloud-state", map[string][2]string{"pool": {`"provisioningState": "Succeeded",`, ""}}, "", "?"},
		{"paid late", "cloud-state", map[string][2]string{"nsg": {"{", `{"environmentName": "AzureCloud", "state": "PastDue", "name": "shop", "id": "0"} {`}}, "", "is PastDue"},
		{"lock on an address", "cloud-locks", map[string][2]string{"nsg": {"{", `{"id": "/subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Network/publicIPAddresses/out/providers/Microsoft.Authorization/locks/keep", "level": "CanNotDelete", "name": "keep", "type": "Microsoft.Authorization/locks"} {`}}, "", "CanNotDelete on out"},
		{"locks not read", "cloud-locks", nil, "", "?"},
		{"no lock", "cloud-locks", nil, "", ""},
		{"a note that speaks of locks", "cloud-locks", map[string][2]string{"pool": {`"name": "np1"`, `"name": "np1", "tags": {"lock": "CanNotDelete"}`}}, "", "?"},
		{"quota of the family", "cloud-quota", map[string][2]string{"usage": {`"90", "limit": "100", "name": {"value": "standard`, `"98", "limit": "100", "name": {"value": "standard`}}, "", "a surge of 1 node needs 4 cores; 2 of quota standarddsv5family are free"},
		{"another quota is full", "cloud-quota", nil, "", ""},
		{"Spot VMs have a separate quota", "cloud-quota", map[string][2]string{"pool": {`"count": 3`, `"count": 3, "scaleSetPriority": "Spot"`}}, "", "a surge of 1 node needs 4 cores; 3 of quota lowprioritycores are free"},
		{"quota not read", "cloud-quota", nil, "usage", "?"},
		{"size not read", "cloud-quota", nil, "skus", "?"},
		{"no surge needs none", "cloud-quota", map[string][2]string{"pool": {`"maxSurge": "1"`, `"maxSurge": "0"`}}, "usage", ""},
		{"subnet", "cloud-subnet", map[string][2]string{"room": {"200", "230"}}, "", "the surge needs 31 IP addresses; 21 of 251 are free"},
		{"overlay needs one", "cloud-subnet", map[string][2]string{"room": {"200", "250"}, "cluster": {`"azure"`, `"azure", "networkPluginMode": "overlay"`}}, "", ""},
		{"subnet not read", "cloud-subnet", nil, "room", "?"},
		{"rule that denies", "cloud-outbound", map[string][2]string{"nsg": {"[]", `[{"access": "Deny", "direction": "Outbound", "protocol": "*", "priority": 100, "destinationAddressPrefix": "*", "destinationPortRange": "443", "name": "no"}]`}}, "", "denies HTTPS to the internet by rule no (priority 100)"},
		{"rule that denies mail", "cloud-outbound", map[string][2]string{"nsg": {"[]", `[{"access": "Deny", "direction": "Outbound", "protocol": "*", "priority": 100, "destinationAddressPrefix": "*", "destinationPortRange": "25", "name": "no"}]`}}, "", ""},
		{"rule for what comes in", "cloud-outbound", map[string][2]string{"nsg": {"[]", `[{"access": "Deny", "direction": "Inbound", "protocol": "*", "priority": 100, "destinationAddressPrefix": "*", "destinationPortRange": "443", "name": "no"}]`}}, "", ""},
		{"zone without the size", "cloud-sizes", map[string][2]string{"pool": {`["1"]`, `["1", "2"]`}}, "", "size Standard_D4s_v5 is restricted in zone 2: NotAvailableForSubscription"},
		{"size restricted", "cloud-sizes", map[string][2]string{"skus": {`"type": "Zone"`, `"type": "Location"`}}, "", "size Standard_D4s_v5 is restricted in the region: NotAvailableForSubscription"},
		{"another zone", "cloud-sizes", nil, "", ""},
		{"three behind", "cloud-versions", map[string][2]string{"pool": {"1.33.3", "1.30.9"}}, "", "version 1.30.9 is 3 minor versions behind the control plane's 1.33.3: the next control plane upgrade is blocked"},
		{"ahead", "cloud-versions", map[string][2]string{"pool": {"1.33.3", "1.34.0"}}, "", "version 1.34.0 is newer than the control plane's 1.33.3"},
		{"two behind", "cloud-versions", map[string][2]string{"pool": {"1.33.3", "1.31.0"}}, "", ""},
		{"policy that denies", "cloud-policies", map[string][2]string{"nsg": {"{", `{"complianceState": "NonCompliant", "policyAssignmentName": "tags", "policyDefinitionAction": "deny", "policyDefinitionName": "require-tags", "resourceId": "/a/vmss"} {`}}, "", "definition require-tags denies vmss in its current state"},
		{"policy that only looks", "cloud-policies", map[string][2]string{"nsg": {"{", `{"complianceState": "NonCompliant", "policyAssignmentName": "tags", "policyDefinitionAction": "audit", "policyDefinitionName": "require-tags", "resourceId": "/a/vmss"} {`}}, "", ""},
		{"policy that is kept", "cloud-policies", map[string][2]string{"nsg": {"{", `{"complianceState": "Compliant", "policyAssignmentName": "tags", "policyDefinitionAction": "deny", "policyDefinitionName": "require-tags", "resourceId": "/a/vmss"} {`}}, "", ""},
		{"old image", "cloud-images", map[string][2]string{"pool": {"202605.18.0", "202602.08.0"}, "latest": {"202605.18.0", "202602.08.0"}, "nodes": {"202605.18.0", "202602.08.0"}}, "", "image AKSUbuntu-2204gen2containerd-202602.08.0 is 115 days old"},
		{"a newer one", "cloud-images", map[string][2]string{"latest": {"202605.18.0", "202605.27.0"}}, "", "image AKSUbuntu-2204gen2containerd-202605.18.0 is not the latest one, AKSUbuntu-2204gen2containerd-202605.27.0"},
		{"a node that was left out", "cloud-images", map[string][2]string{"nodes": {"202605.18.0", "202605.02.0"}}, "", "has image AKSUbuntu-2204gen2containerd-202605.02.0, but its pool has AKSUbuntu-2204gen2containerd-202605.18.0"},
		{"an image named otherwise", "cloud-images", map[string][2]string{"pool": {"AKSUbuntu-2204gen2containerd-202605.18.0", "custom"}, "nodes": {"AKSUbuntu-2204gen2containerd-202605.18.0", "custom"}}, "", "?"},
		{"no window", "cloud-window", nil, "window", "node OS channel NodeImage, without a maintenance window"},
		{"a window for something else", "cloud-window", map[string][2]string{"window": {`"name": "aksManagedNodeOSUpgradeSchedule"`, `"name": "default"`}}, "", "node OS channel NodeImage, without a maintenance window"},
		{"no channel needs no window", "cloud-window", map[string][2]string{"cluster": {"NodeImage", "None"}}, "window", ""},
		{"no channel", "cloud-channel", map[string][2]string{"cluster": {"NodeImage", "None"}}, "", "node OS channel None"},
		{"unmanaged", "cloud-channel", map[string][2]string{"cluster": {"NodeImage", "Unmanaged"}}, "", "node OS channel Unmanaged"},
		{"channel not read", "cloud-channel", map[string][2]string{"cluster": {`"nodeOsUpgradeChannel": "NodeImage"`, ""}}, "", "?"},
		{"window not known without a channel", "cloud-window", map[string][2]string{"cluster": {`"nodeOsUpgradeChannel": "NodeImage"`, ""}}, "", "?"},
		{"cluster not read", "cloud-versions", nil, "cluster", "?"},
		{"sizes not read", "cloud-sizes", nil, "skus", "?"},
		{"networks not read", "cloud-outbound", nil, "nsg", "?"},
		{"policies not read", "cloud-policies", nil, "", "?"},
		{"no policy", "cloud-policies", nil, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var answers []string
			if strings.HasPrefix(c.name, "no ") { // what is empty shows in no file
				answers = []string{"azure locks", "azure policy states"}
			}
			r := readiness(t, c.change, c.without, answers...)
			var got []string
			for _, w := range r.Weaknesses {
				if w.Check == c.check || c.check == "" && strings.HasPrefix(w.Check, "cloud-") {
					got = append(got, w.Details...)
				}
			}
			passed := slices.Contains(r.Passed, c.check)
			switch {
			case c.detail == "?" && (len(got) > 0 || passed || len(r.NotChecked) == 0):
				t.Errorf("found %q, passed %v, not checked %v", got, passed, r.NotChecked)
			case c.detail == "" && c.check != "" && (len(got) > 0 || !passed), c.check == "" && len(got) > 0:
				t.Errorf("found %q, passed %q", got, r.Passed)
			case c.detail != "" && c.detail != "?" && !slices.Equal(got, []string{c.detail}):
				t.Errorf("found %q", got)
			}
		})
	}
}

func readiness(t *testing.T, change map[string][2]string, without string, answers ...string) *check.Review {
	t.Helper()
	known, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "folder"}, known)
	for name, doc := range managed() {
		if x, ok := change[name]; ok {
			if !strings.Contains(doc, x[0]) {
				t.Fatalf("%s does not hold %s", name, x[0])
			}
			doc = strings.ReplaceAll(doc, x[0], x[1])
			if x[0] == "{" {
				doc = strings.Replace(managed()[name], x[0], x[1], 1)
			}
		}
		if name != without {
			b.AddStream(name+".json", strings.NewReader(doc))
		}
	}
	snapshot := b.Snapshot()
	snapshot.Data().CloudAnswers = answers
	return check.New(snapshot, time.Date(2026, 6, 3, 12, 0, 0, 0, time.UTC), nil)
}

// If nothing of a cloud was read, its checks report nothing; if nodes are its machines, they report that.
func TestCloudReadinessWithoutCloud(t *testing.T) {
	known, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for providerID, told := range map[string]bool{"": false, "aws:///a/i-0": false, "azure:///subscriptions/0/x": true} {
		b := collect.NewBuilder(evidence.Source{Kind: "file"}, known)
		b.AddStream("n.json", strings.NewReader(`{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "spec": {"providerID": "`+providerID+`"}}`))
		r := check.New(b.Snapshot(), time.Time{}, nil)
		said := false
		for _, n := range r.NotChecked {
			said = said || strings.Contains(n.What, "the cloud allows")
		}
		if said != told || slices.ContainsFunc(r.Passed, func(p string) bool { return strings.HasPrefix(p, "cloud-") }) {
			t.Errorf("%q: told %v, passed %q", providerID, said, r.Passed)
		}
	}
}
