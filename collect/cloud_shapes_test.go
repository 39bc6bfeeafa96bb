package collect_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
)

const (
	set  = "/subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-12345678-vmss"
	pool = "/subscriptions/0/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks/agentPools/np1"
)

// Output of az and responses of the API give the same resources: type, name, state and the fields that rules read.
func TestAzureShapes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"az aks nodepool list", `[{"count": 3, "currentOrchestratorVersion": "1.33.3", "enableAutoScaling": false, "id": "` + pool + `", "mode": "User", "name": "np1",
			"powerState": {"code": "Running"}, "provisioningState": "Upgrading", "status": {"provisioningError": null},
			"upgradeSettings": {"drainTimeoutInMinutes": 30, "maxSurge": "10%", "undrainableNodeBehavior": "Cordon"}, "vnetSubnetId": "/s/snet"}]`,
			"pool np1 Upgrading/Running Count={3 true} Mode=User Account=0 Group=rg MachineGroup=MC_rg_aks_ Version=1.33.3 Autoscaling=false Subnet=/s/snet MaxSurge=10% DrainTimeout=30m0s Undrainable=Cordon"},
		{"REST agent pool", `{"id": "` + pool + `", "name": "np1", "properties": {"count": 3, "provisioningState": "Succeeded", "powerState": {"code": "Running"}}}`,
			"pool np1 Succeeded/Running Count={3 true} Account=0 Group=rg MachineGroup=MC_rg_aks_"},
		{"az vmss list", `[{"id": "` + set + `", "name": "aks-np1-12345678-vmss", "provisioningState": "Succeeded", "sku": {"capacity": 4, "name": "Standard_D4s_v5"}, "tags": {"aks-managed-poolName": "np1"}}]`,
			"scale-set aks-np1-12345678-vmss Succeeded/ Pool=np1 Group=MC_rg Capacity={4 true} Size=Standard_D4s_v5 Family=dsv5 Cores={4 true}"},
		{"az vmss list-instances", `[{"id": "` + set + `/virtualMachines/35", "instanceId": "35", "latestModelApplied": true, "name": "aks-np1-12345678-vmss_35", "osProfile": {"computerName": "aks-np1-12345678-vmss00000Z"},
			"provisioningState": "Failed", "instanceView": {"disks": [{"name": "pvc-1", "statuses": [{"code": "ProvisioningState/failed", "level": "Error"}]}], "statuses": [{"code": "provisioningstate/failed/DiskServiceInternalError"}, {"code": "powerstate/running"}],
			"vmAgent": {"statuses": [{"code": "ProvisioningState/succeeded", "displayStatus": "Ready"}]}}}]`,
			"instance aks-np1-12345678-vmss_35 Failed/running Host=aks-np1-12345678-vmss00000z Number=35 Answer=Ready Joins=true Answers=true Latest=true FailedDisks=[pvc-1] Group=MC_rg"},
		{"az vm list-usage", `[{"currentValue": "98", "limit": "100", "localName": "Total Regional vCPUs", "name": {"localizedValue": "Total Regional vCPUs", "value": "cores"}}]`,
			"quota cores / Used={98 true} Limit={100 true} AllCores=true"},
		{"REST usages of a virtual network", `{"value": [{"currentValue": 59, "limit": 59, "id": "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/snet", "name": {"value": "SubnetSpace"}}]}`,
			"subnet SubnetSpace / Used={59 true} Limit={59 true}"},
		{"az network vnet subnet show", `{"addressPrefix": "10.0.0.0/26", "id": "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/snet", "name": "snet", "networkSecurityGroup": {"id": "/subscriptions/0/nsg"}, "provisioningState": "Succeeded"}`,
			"subnet snet Succeeded/"},
		{"az network nsg show", `{"id": "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Network/networkSecurityGroups/n", "name": "n", "provisioningState": "Succeeded", "securityRules": [
			{"access": "Deny", "destinationAddressPrefix": "Internet", "destinationPortRange": "*", "direction": "Outbound", "name": "no-out", "priority": 200, "protocol": "*"},
			{"access": "Allow", "destinationAddressPrefix": "*", "destinationPortRange": "80", "direction": "Outbound", "name": "web", "priority": 100, "protocol": "Tcp"}]}`,
			"security-group n Succeeded/ Out=[{no-out 200 true []}]"},
		{"an allowing rule wins", `{"id": "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Network/networkSecurityGroups/n", "name": "n", "properties": {"provisioningState": "Succeeded", "securityRules": [
			{"name": "no-out", "properties": {"access": "Deny", "destinationAddressPrefix": "*", "destinationPortRange": "*", "direction": "Outbound", "priority": 200, "protocol": "*"}},
			{"name": "https", "properties": {"access": "Allow", "destinationAddressPrefix": "*", "destinationPortRanges": ["80", "443"], "direction": "Outbound", "priority": 100, "protocol": "TCP"}}]}}`,
			"security-group n Succeeded/ Out=[{no-out 200 true []} {https 100 false []}]"},
		{"az network nsg rule list", `[{"access": "Deny", "destinationAddressPrefix": "AzureCloud", "destinationPortRanges": ["80", "400-500"], "direction": "Outbound", "name": "no", "priority": 90, "protocol": "Tcp",
			"id": "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Network/networkSecurityGroups/n/securityRules/no", "type": "Microsoft.Network/networkSecurityGroups/securityRules"}]`,
			"security-group n / Part=true Out=[{no 90 true [AzureCloud]}]"},
		{"az monitor diagnostic-settings list", `[{"id": "/subscriptions/0/resourcegroups/rg/providers/microsoft.compute/virtualmachinescalesets/s/providers/microsoft.insights/diagnosticSettings/d", "name": "d", "type": "Microsoft.Insights/diagnosticSettings",
			"logs": [{"category": "a", "enabled": false}], "metrics": [{"category": "AllMetrics", "enabled": true}], "workspaceId": "/subscriptions/0/w"}]`,
			"log-target d / Of=s To=[/subscriptions/0/w] Kinds=[AllMetrics]"},
		{"az network route-table show", `{"id": "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Network/routeTables/r", "name": "r", "provisioningState": "Succeeded", "routes": [{"addressPrefix": "0.0.0.0/0", "nextHopIpAddress": "10.1.0.4", "nextHopType": "VirtualAppliance"}]}`,
			"route-table r Succeeded/ DefaultRoute=VirtualAppliance 10.1.0.4 ToAppliance=true"},
		{"az aks maintenanceconfiguration list", `[{"id": "/subscriptions/0/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks/maintenanceConfigurations/aksManagedNodeOSUpgradeSchedule",
			"maintenanceWindow": {"durationHours": 4, "notAllowedDates": null, "schedule": {"absoluteMonthly": null, "daily": null, "relativeMonthly": null, "weekly": {"dayOfWeek": "Sunday", "intervalWeeks": 1}}, "startTime": "00:00", "utcOffset": "+00:00"},
			"name": "aksManagedNodeOSUpgradeSchedule", "notAllowedTime": null, "resourceGroup": "rg", "timeInWeek": null}]`,
			"maintenance aksManagedNodeOSUpgradeSchedule / Opens=aksManagedNodeOSUpgradeSchedule every week on Sunday at 00:00 +00:00 for 4 hours"},
		{"az aks nodepool get-upgrades", `{"id": "` + pool + `/upgradeProfiles/default", "kubernetesVersion": "1.33.3", "latestNodeImageVersion": "AKSUbuntu-2204gen2containerd-202606.01.0", "name": "default", "osType": "Linux",
			"type": "Microsoft.ContainerService/managedClusters/agentPools/upgradeProfiles", "upgrades": null}`,
			"pool-upgrade default / Pool=np1 LatestImage=AKSUbuntu-2204gen2containerd-202606.01.0"},
		{"az aks get-upgrades", `{"agentPoolProfiles": null, "controlPlaneProfile": {"kubernetesVersion": "1.33.3", "upgrades": [{"isPreview": null, "kubernetesVersion": "1.34.1"}]},
			"id": "/subscriptions/0/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/aks/upgradeprofiles/default", "name": "default", "type": "Microsoft.ContainerService/ManagedClusters/upgradeProfiles"}`,
			"cluster-upgrade default /"},
		{"az vm list-skus", `[{"apiVersions": null, "capabilities": [{"name": "vCPUs", "value": "4"}], "family": "standardDSv5Family", "locationInfo": [{"location": "region", "zones": ["3", "1", "2"]}], "locations": ["region"],
			"name": "Standard_D4s_v5", "resourceType": "virtualMachines", "restrictions": [{"reasonCode": "NotAvailableForSubscription", "restrictionInfo": {"locations": ["region"], "zones": ["2"]}, "type": "Zone", "values": ["region"]}]}]`,
			"sku Standard_D4s_v5 / Family=standardDSv5Family Cores={4 true} RefusedZones=[2] RefusedZonesWhy=NotAvailableForSubscription"},
		{"az role assignment list", `[{"condition": null, "id": "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Authorization/roleAssignments/a", "name": "a", "principalId": "p", "principalName": "", "principalType": "ServicePrincipal",
			"roleDefinitionId": "/subscriptions/0/providers/Microsoft.Authorization/roleDefinitions/r", "roleDefinitionName": "Network Contributor", "scope": "/subscriptions/0/resourceGroups/rg", "type": "Microsoft.Authorization/roleAssignments"}]`,
			"role-assignment a / Principal=p Role=Network Contributor Scope=/subscriptions/0/resourceGroups/rg"},
		{"REST deny assignment", `{"value": [{"id": "/subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Authorization/denyAssignments/d", "name": "d", "properties": {"denyAssignmentName": "Deny assignment created by AKS", "scope": "/subscriptions/0/resourceGroups/MC_rg"}}]}`,
			"deny-assignment d / Rule=Deny assignment created by AKS Scope=/subscriptions/0/resourceGroups/MC_rg"},
		{"REST resource health", `{"id": "` + set + `/virtualMachines/3/providers/Microsoft.ResourceHealth/availabilityStatuses/current", "name": "current", "properties": {"availabilityState": "Unavailable", "healthEventCause": "PlatformInitiated", "reasonType": "Unplanned", "summary": "We're sorry", "occuredTime": "2026-06-02T00:00:00Z"}}`,
			"health current / On=/subscriptions/0/resourcegroups/mc_rg/providers/microsoft.compute/virtualmachinescalesets/aks-np1-12345678-vmss/virtualmachines/3 Word=Unavailable Available=degraded Cause=PlatformInitiated Kind=Unplanned Summary=We're sorry ByPlatform=true Since=2026-06-02 00:00:00 +0000 UTC"},
		{"az account show", `{"environmentName": "AzureCloud", "id": "00000000-0000-0000-0000-000000000001", "isDefault": true, "name": "shop", "state": "Warned", "tenantId": "t", "user": {"name": "ops", "type": "user"}}`,
			"subscription shop / Standing=Warned May=warned"},
		{"REST subscription", `{"id": "/subscriptions/00000000-0000-0000-0000-000000000001", "displayName": "shop", "state": "Disabled", "subscriptionId": "00000000-0000-0000-0000-000000000001"}`,
			"subscription  / Standing=Disabled May=no"},
		{"az provider show", `{"id": "/subscriptions/0/providers/Microsoft.ContainerService", "namespace": "Microsoft.ContainerService", "registrationState": "NotRegistered"}`,
			"provider  / Service=Microsoft.ContainerService Standing=NotRegistered Disabled=true Needed=true"},
		{"az vm availability-set show", `{"id": "/subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Compute/availabilitySets/nodepool1", "name": "nodepool1", "virtualMachines": [{"id": "/v"}]}`, "availability-set nodepool1 /"},
		{"az vm list -d", `[{"id": "/subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Compute/virtualMachines/aks-np1-12345678-vms2", "name": "aks-np1-12345678-vms2", "powerState": "VM deallocated", "provisioningState": "Succeeded"}]`,
			"instance aks-np1-12345678-vms2 Succeeded/deallocated Host=aks-np1-12345678-vms2 Joins=true Group=MC_rg"},
		{"az aks machine list", `[{"id": "` + pool + `/machines/aks-np1-12345678-vmss000003", "name": "aks-np1-12345678-vmss000003", "resourceId": "` + set + `/virtualMachines/3"}]`,
			"machine aks-np1-12345678-vmss000003 /"},
		{"az network list-usages", `[{"currentValue": 20, "id": "/subscriptions/0/providers/Microsoft.Network/locations/region/usages/StandardSkuPublicIpAddresses", "limit": 20, "name": {"localizedValue": "x", "value": "StandardSkuPublicIpAddresses"}, "unit": "Count"}]`,
			"quota StandardSkuPublicIpAddresses / Used={20 true} Limit={20 true} PublicAddresses=true"},
		{"az lock list", `[{"id": "/subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Network/publicIPAddresses/p/providers/Microsoft.Authorization/locks/keep", "level": "CanNotDelete", "name": "keep", "notes": null, "type": "Microsoft.Authorization/locks"}]`,
			"lock keep / Level=CanNotDelete Scope=/subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Network/publicIPAddresses/p Account=0 Group=MC_rg"},
		{"az policy state list", `[{"complianceState": "NonCompliant", "isCompliant": false, "policyAssignmentName": "tags", "policyDefinitionAction": "deny", "policyDefinitionName": "require-tags", "resourceId": "` + set + `", "timestamp": "2026-06-02T00:00:00Z"}]`,
			"policy  / Assignment=tags Definition=require-tags On=" + set + " Pool=np1 Group=MC_rg Broken=true Denies=true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, r := range read(t, "a.json", []byte(c.text)).CloudResources {
				got = append(got, words(r))
			}
			if !slices.Equal(got, []string{c.want}) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// words returns the non-empty fields of a resource.
func words(one evidence.CloudResource) string {
	r := one.Item()
	out := []string{r.Type, r.Name, r.State + "/" + r.Power}
	fields := reflect.ValueOf(one).Elem()
	for i := 1; i < fields.NumField(); i++ { // the first is the item
		name := fields.Type().Field(i).Name
		if v := fields.Field(i); !v.IsZero() && name != "Inside" && name != "AnswerAt" && name != "ReadInstead" && name != "Names" && name != "Set" { // derived from its id
			out = append(out, fmt.Sprintf("%s=%v", name, v.Interface()))
		}
	}
	return strings.Join(out, " ")
}

// Errors are unwrapped from every layer: documents in strings, strings in strings, sentences, and truncated documents.
func TestAzureErrorsAreUnwound(t *testing.T) {
	deep := `{"error": {"code": "Innermost", "message": "it is this"}}`
	for i := range 6 {
		deep = fmt.Sprintf(`{"error": {"code": "Layer%d", "message": %q}}`, i, "failed: "+deep)
	}
	for _, c := range []struct{ name, status, want string }{
		{"nested", fmt.Sprintf("%q", deep), "Layer5 Layer4 Layer3 Layer2 Layer1 Layer0 Innermost"},
		{"an object", `{"error": {"code": "ScopeLocked", "message": "locked"}}`, "ScopeLocked"},
		{"encoded twice", fmt.Sprintf("%q", `"{\"error\":{\"code\":\"ScopeLocked\",\"message\":\"locked\"}}"`), "ScopeLocked"},
		{"cut off", `"{\"status\":\"Failed\",\"error\":{\"code\":\"ResourceOperationFailure\",\"message\":\"x\",\"details\":[{\"code\":\"QuotaExceeded\",\"mess"`, "ResourceOperationFailure QuotaExceeded"},
		{"a sentence", `"Reconcile vmss agent pool error: Category: ClientError; SubCode: SubnetIsFull; OrginalError: Code=\"SubnetIsFull\" Message=\"no room\" Details=[]; AKSTeam: Networking, Retriable: false."`, "SubnetIsFull SubnetIsFull"},
		{"text", `"Forbidden"`, ""},
		{"empty", `""`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, "a.json", []byte(`{"eventTimestamp": "2026-06-02T00:31:44Z", "operationName": {"value": "x/write"}, "operationId": "op-1", "status": {"value": "Failed"}, "properties": {"statusMessage": `+c.status+`}}`))
			if len(d.CloudActivities) != 1 || d.CloudActivities[0].ID != "op-1" {
				t.Fatalf("activities %v, gaps %v", d.CloudActivities, d.Gaps)
			}
			var got []string
			for _, e := range d.CloudActivities[0].Errors {
				got = append(got, e.Code)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", strings.Join(got, " "), c.want)
			}
		})
	}
}

// azurePaste is a chat: commands, their JSON, and words in between.
const azurePaste = `the pool is failed, see
$ az aks nodepool show -g rg --cluster-name aks -n np1
{
  "count": 3,
  "id": "` + pool + `",
  "name": "np1",
  "provisioningState": "Failed"
}
and the scale set:
$ az vmss list-instances -g MC_rg -n aks-np1-12345678-vmss
[
  {
    "id": "` + set + `/virtualMachines/3",
    "instanceId": "3",
    "name": "aks-np1-12345678-vmss_3",
    "provisioningState": "Succeeded"
  }
]
`

func TestAzurePaste(t *testing.T) {
	d := read(t, "standard input", []byte(azurePaste))
	var got []string
	for _, r := range d.CloudResources {
		got = append(got, r.Item().Type+" "+r.Item().Name)
	}
	if !slices.Equal(got, []string{"pool, in words ", "pool np1", "instance aks-np1-12345678-vmss_3"}) {
		t.Errorf("resources %q, gaps %v", got, d.Gaps)
	}
}

// Errors that az prints in a terminal, and errors of the portal, are text.
func TestAzureErrorInTerminal(t *testing.T) {
	known := builtin(t)
	for text, want := range map[string]string{
		"(OperationNotAllowed) Operation could not be completed as it results in exceeding approved Total Regional Cores quota.\nCode: OperationNotAllowed\nMessage: Operation could not be completed as it results in exceeding approved Total Regional Cores quota.": "cloud-quota-exceeded",
		"ERROR: (ScopeLocked) The scope '/subscriptions/0' cannot perform write operation because following scope(s) are locked: '/subscriptions/0/resourceGroups/rg'.":                                                                                                "cloud-resource-locked",
		`Operation failed with status: 'Bad Request'. Details: {"error":{"code":"AvailabilityZoneNotSupported","message":"zone 2 is not supported"}}`:                                                                                                                  "cloud-capacity-unavailable",
		"Provisioning failed. VMExtensionProvisioningError: Enable failed: failed to execute command: command terminated with exit status=52":                                                                                                                          "provision-dns-failed",
	} {
		d := read(t, "standard input", []byte(text))
		if !slices.ContainsFunc(d.Matches, func(m *evidence.Match) bool { return known.Lookup(m.Signature).Says == want }) {
			t.Errorf("%q does not say %s: %d matches, gaps %v", text, want, len(d.Matches), d.Gaps)
		}
	}
}

// Cloud resources survive a round trip through a bundle.
func TestAzureBundle(t *testing.T) {
	texts, err := bundle.NewTexts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer texts.Close()
	b := collect.NewBuilder(evidence.Source{Kind: "file"}, builtin(t))
	b.KeepTexts(texts)
	b.AddStream("paste.txt", strings.NewReader(azurePaste))
	for _, name := range []string{"activity.json", "cluster.json", "instance.json", "rest.json"} {
		b.AddPath("testdata/azure/" + name)
	}
	before := b.Snapshot()
	after := readBundle(t, writeBundle(t, before, texts))
	if want := before.Data().CloudResources; len(want) == 0 || len(want) != len(after.CloudResources) {
		t.Fatalf("%d resources came back of %d", len(after.CloudResources), len(want))
	}
	for _, w := range before.Data().CloudResources {
		if !slices.ContainsFunc(after.CloudResources, func(r evidence.CloudResource) bool {
			return words(r) == words(w) && r.Item().ID == w.Item().ID && reflect.DeepEqual(r.Item().Errors, w.Item().Errors)
		}) {
			t.Errorf("%s %s did not come back as it went in", w.Item().Type, w.Item().Name)
		}
	}
	if len(after.CloudActivities) != len(before.Data().CloudActivities) {
		t.Errorf("%d activities came back of %d", len(after.CloudActivities), len(before.Data().CloudActivities))
	}
}
