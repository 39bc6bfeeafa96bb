package documents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// addCloudValues adds a document as an activity or as a resource, with its nested resources.
func addCloudValues(d *cloud.Decoded, tree map[string]any, name string) {
	ref := evidence.Ref{Source: name, ObservedAt: d.At}
	if a := cloudActivity(tree); a != nil {
		a.Ref = ref
		d.Activities = append(d.Activities, a)
		return
	}
	d.Resources = append(d.Resources, cloudResource(tree, ref).typed())
	for _, at := range []string{"agentPoolProfiles", "properties.agentPoolProfiles"} { // of a cluster
		list, _ := lookup(tree, at)
		pools, _ := list.([]any)
		for i, p := range pools {
			if pool, ok := p.(map[string]any); ok && i < maxPools {
				if text(pool, "id") == "" {
					pool["type"] = "Microsoft.ContainerService/managedClusters/agentPools"
					pool["resourceGroup"], pool[clusterOfRow] = cmp.Or(partOfID(text(tree, "id"), "resourceGroups"), text(tree, "resourceGroup")), text(tree, "name")
				}
				r := cloudResource(pool, evidence.Ref{Source: name, Locator: fmt.Sprintf("%s[%d]", at, i), ObservedAt: ref.ObservedAt})
				r.Type = "pool"
				d.Resources = append(d.Resources, r.typed())
			}
		}
	}
}

const maxPools = 200 // per cluster

// cloudActivity decodes an entry of an activity log or the state of one operation; nil if it is neither.
func cloudActivity(tree map[string]any) *evidence.CloudActivity {
	op, at := text(tree, "operationName.value", "operationName.localizedValue", "operationName"), text(tree, "eventTimestamp")
	on := text(tree, "resourceId")
	if before, _, found := strings.Cut(text(tree, "id"), "/operations/"); op == "" && found {
		op, at = "operation", text(tree, "endTime", "startTime")
		on = cmp.Or(on, before)
	}
	if op == "" {
		return nil
	}
	return &evidence.CloudActivity{
		Operation: wording.Cut(op, maxName), Status: wording.Cut(text(tree, "status.value", "status.localizedValue", "status"), maxName), Time: stamp(at),
		ID: wording.Cut(text(tree, "operationId", "name"), maxName), Chain: wording.Cut(text(tree, "correlationId"), maxName),
		Code: wording.Cut(text(tree, "subStatus.value", "subStatus.localizedValue", "subStatus"), maxName), Caller: wording.Cut(text(tree, "caller"), maxName), Resource: wording.Cut(on, maxName), Errors: cloudErrors(tree),
	}
}

// chosenProperties are the fields that resource.Properties keeps, by their paths in answers of Azure Resource Manager.
// az omits "properties". Ambiguous fields have another name.
var chosenProperties = []struct{ path, name string }{
	{"count", ""}, {"vmSize", ""}, {"nodeImageVersion", ""}, {"orchestratorVersion", ""}, {"currentOrchestratorVersion", ""}, {"enableAutoScaling", ""},
	{"minCount", ""}, {"maxCount", ""}, {"mode", ""}, {"osSKU", ""}, {"osSku", "osSKU"}, {"osType", ""}, {"hardwareProfile.vmSize", "vmSize"}, {"sku.name", "skuName"},
	{"maxPods", ""}, {"scaleSetPriority", ""}, {"vnetSubnetID", ""}, {"vnetSubnetId", "vnetSubnetID"}, {"podSubnetID", ""},
	{"podSubnetId", "podSubnetID"}, {"upgradeSettings.maxSurge", "maxSurge"}, {"upgradeSettings.maxUnavailable", "maxUnavailable"},
	{"upgradeSettings.drainTimeoutInMinutes", "drainTimeout"}, {"upgradeSettings.nodeSoakDurationInMinutes", "soak"},
	{"upgradeSettings.undrainableNodeBehavior", "undrainable"}, {"kubernetesVersion", ""},
	{"nodeResourceGroupProfile.restrictionLevel", "restrictionLevel"}, {"networkProfile.outboundType", "outboundType"},
	{"networkProfile.networkPluginMode", "networkPluginMode"}, {"networkProfile.networkPlugin", "networkPlugin"},
	{"servicePrincipalProfile.clientId", "clientId"}, {"instanceId", ""}, {"latestModelApplied", ""}, {"sku.capacity", "capacity"}, {"timeCreated", ""},
	{"priority", ""}, {"limit", ""}, {"currentValue", ""}, {"level", ""}, {"notes", ""}, {"complianceState", ""}, {"policyAssignmentName", ""},
	{"policyDefinitionName", ""}, {"policyDefinitionAction", ""}, {"resourceId", ""}, {"state", ""},
	{"autoUpgradeProfile.nodeOsUpgradeChannel", "nodeOSUpgradeChannel"}, {"autoUpgradeProfile.nodeOSUpgradeChannel", "nodeOSUpgradeChannel"},
	{"currentKubernetesVersion", ""}, {"latestNodeImageVersion", ""}, {"controlPlaneProfile.kubernetesVersion", "kubernetesVersion"},
	{"principalId", ""}, {"scope", ""}, {"denyAssignmentName", ""}, {"availabilityState", ""}, {"reasonType", ""}, {"healthEventCause", ""},
	{"summary", ""}, {"occuredTime", "since"}, {"occurredTime", "since"}, {"eventType", ""}, {"status", ""}, {"title", ""},
	{"impactStartTime", "since"}, {"namespace", ""}, {"registrationState", ""}, {"identity.principalId", "identity"}, {"category", ""},
	{"resourceGroup", ""}, {clusterOfRow, ""}, {groupOfRule, ""}, {noRole, ""}, {told, ""},
	{"roleDefinitionName", ""}, {"roleDefinitionId", ""}, {"displayName", ""}, {"enforcementMode", ""},
}

// resource is a resource in an answer, with the field names of Azure Resource Manager.
type resource struct {
	Type         string // see resourceTypes
	ID           string
	Name         string
	Provisioning string // Succeeded, Failed, Updating, ...
	Power        string // running, deallocated, ...
	Properties   map[string]string
	Errors       []evidence.CloudError
	Ref          evidence.Ref
	window       *evidence.Window        // of a maintenance configuration
	labels       map[string]string       // of a pool
	taints       []string                // of a pool
	programs     []evidence.CloudProgram // of an instance: its extensions
	outbound     []evidence.CloudWayOut  // of a security group or one of its rules
}

func cloudResource(tree map[string]any, ref evidence.Ref) *resource {
	r := &resource{
		Type: cloudType(tree), ID: wording.Cut(text(tree, "id"), maxName), Name: wording.Cut(text(tree, "name", "name.value", "computerName"), maxName),
		Provisioning: wording.Cut(text(tree, "provisioningState", "properties.provisioningState"), maxName),
		Power:        wording.Cut(text(tree, "powerState.code", "properties.powerState.code"), maxName),
		Errors:       cloudErrors(tree), Ref: ref, Properties: map[string]string{},
	}
	r.choose(tree)
	r.ofType(tree)
	if r.Properties["zones"] == "" {
		delete(r.Properties, "zones")
	}
	statusValues(r, tree)
	return r
}

// choose reads the chosen properties, and the pool in the tags.
func (r *resource) choose(tree map[string]any) {
	for _, c := range chosenProperties {
		for _, at := range []string{c.path, "properties." + c.path} {
			if v, ok := lookup(tree, at); ok && plain(v) {
				r.Properties[cmp.Or(c.name, c.path)] = wording.Cut(fmt.Sprint(v), maxName)
			}
		}
	}
	v, _ := lookup(tree, "tags")
	tags, _ := v.(map[string]any)
	for k, v := range tags {
		if strings.EqualFold(k, "aks-managed-poolName") && plain(v) { // the case of tag names varies
			r.Properties["pool"] = wording.Cut(fmt.Sprint(v), maxName)
		}
	}
}

// ofType reads the values that only resources of the type have.
func (r *resource) ofType(tree map[string]any) {
	switch r.Type {
	case "instance":
		instanceValues(r, tree)
	case "scale-set":
		setValues(r, tree)
		if r.Properties["pool"] == "" { // no tags were printed
			r.Properties["pool"] = poolOfSet(r.Name)
		}
	case "maintenance":
		r.window = windowOf(tree, r.Name)
	case "sku":
		skuValues(r, tree)
	case "cluster":
		identityValues(r, tree)
		admittedValues(r, tree)
	case "subnet":
		subnetValues(r, tree)
	case "required-outbound":
		requiredValues(r, tree)
	case "security-group", "security-rule":
		securityValues(r, tree)
	case "route-table":
		routeValues(r, tree)
	case "log-target":
		targetValues(r, tree)
	case "pool":
		poolValues(r, tree)
		r.Properties["zones"] = wording.Cut(strings.Join(once(append(stringsIn(tree, "availabilityZones"), stringsIn(tree, "properties.availabilityZones")...)), ","), maxName)
	case "pool-upgrade":
		r.Properties["pool"] = wording.Cut(partOfID(r.ID, "agentPools"), maxName)
	}
}

// statusValues reads power and provisioning states from instance views.
func statusValues(r *resource, tree map[string]any) {
	if state, ok := cutFold(text(tree, "powerState"), "VM "); ok && r.Power == "" { // az vm list -d
		r.Power = wording.Cut(state, maxName)
	}
	for _, s := range viewList(tree, "statuses") { // a query may select only the text
		if state, ok := cutFold(text(s, "displayStatus"), "VM "); ok && r.Power == "" {
			r.Power = wording.Cut(state, maxName)
		}
	}
	for _, code := range statusCodes(tree) {
		if state, ok := cutFold(code, "PowerState/"); ok && r.Power == "" {
			r.Power = wording.Cut(state, maxName)
		}
		if state, ok := cutFold(code, "ProvisioningState/"); ok && r.Provisioning == "" {
			r.Provisioning = wording.Cut(state, maxName)
		}
	}
}

// plain reports whether a value is a scalar.
func plain(v any) bool {
	switch v.(type) {
	case string, json.Number, bool:
		return true
	}
	return false
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// once removes duplicates and keeps the first of each.
func once(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
