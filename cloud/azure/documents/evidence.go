package documents

import (
	"cmp"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// typed converts the resource to evidence.
func (r *resource) typed() evidence.CloudResource {
	item := evidence.CloudItem{
		Type: r.Type, ID: r.ID, Name: r.Name, State: r.Provisioning, Stage: stage(r.Provisioning), Power: r.Power, Up: power(r.Power), Errors: r.Errors, Ref: r.Ref,
	}
	p := r.Properties
	switch r.Type {
	case "cluster":
		return r.cluster(item)
	case "pool":
		if p[told] != "" {
			item.Type = "pool, in words"
			return &evidence.CloudSaid{CloudItem: item, Size: p["vmSize"], Family: family(p["vmSize"]), Cores: cores(p["vmSize"])}
		}
		return r.pool(item)
	case "scale-set":
		return &evidence.CloudSet{CloudItem: item, Pool: p["pool"], Group: cmp.Or(partOfID(r.ID, "resourceGroups"), p["resourceGroup"]), Capacity: number(p["capacity"]), Size: p["skuName"], Family: family(p["skuName"]), Cores: cores(p["skuName"]), States: r.states()}
	case "instance":
		return r.machine(item)
	case "pool-upgrade":
		return &evidence.CloudPoolUpgrade{CloudItem: item, Pool: p["pool"], LatestImage: p["latestNodeImageVersion"]}
	case "maintenance":
		return &evidence.CloudWindow{CloudItem: item, Opens: r.window}
	case "sku":
		return &evidence.CloudSize{
			CloudItem: item, Family: p["family"], Cores: number(p["vCPUs"]), Refused: p["restricted"],
			RefusedZones: list(p["restrictedZones"], ","), RefusedZonesWhy: p["restriction"],
		}
	case "quota":
		return &evidence.CloudQuota{
			CloudItem: item, Used: number(p["currentValue"]), Limit: number(p["limit"]), PublicAddresses: strings.Contains(strings.ReplaceAll(strings.ToLower(r.Name), " ", ""), "publicipaddresses"),
			AllCores: allCores(r.Name), Family: family(r.Name),
		}
	case "subnet":
		return &evidence.CloudSubnet{CloudItem: item, Used: number(p["currentValue"]), Limit: number(p["limit"])}
	case "security-group", "security-rule":
		return r.securityGroup(item)
	case "route-table":
		hop := p["defaultRoute"]
		return &evidence.CloudRouteTable{CloudItem: item, DefaultRoute: hop, Drops: strings.HasPrefix(hop, "None"), ToAppliance: strings.HasPrefix(hop, "VirtualAppliance")}
	case "required-outbound":
		return &evidence.CloudRequired{CloudItem: item, Category: p["category"], Endpoints: strings.Fields(p["endpoints"])}
	}
	return r.rights(item)
}

// rights converts resources about permissions and the health of the cloud.
func (r *resource) rights(item evidence.CloudItem) evidence.CloudResource {
	p := r.Properties
	switch r.Type {
	case "lock":
		scope, _, _ := strings.Cut(r.ID, "/providers/Microsoft.Authorization/")
		l := &evidence.CloudLock{CloudItem: item, Level: p["level"], Note: p["notes"], Scope: cmp.Or(scope, p["scope"])} // az tables have the group
		if l.Account, l.Group = partOfID(l.Scope, "subscriptions"), partOfID(l.Scope, "resourceGroups"); !strings.Contains(l.Scope, "/") {
			l.Group = l.Scope
		}
		return l
	case "policy":
		return &evidence.CloudPolicyState{
			CloudItem: item, Assignment: p["policyAssignmentName"], Definition: p["policyDefinitionName"], On: p["resourceId"], Pool: poolOf(p["resourceId"]), Group: partOfID(p["resourceId"], "resourceGroups"),
			Broken: broken(p["complianceState"]), Denies: denies(p["policyDefinitionAction"], p["complianceState"]),
		}
	case "role-assignment":
		return r.role(item)
	case "policy-assignment":
		a := &evidence.CloudPolicyAssignment{CloudItem: item, Title: p["displayName"], Scope: p["scope"]}
		if mode := p["enforcementMode"]; mode != "" {
			a.Enforced = evidence.Known(strings.EqualFold(mode, "Default"))
		}
		return a
	case "log-target":
		return &evidence.CloudLogTarget{CloudItem: item, Of: targetOf(r.ID), To: list(p["logTargets"], ","), Kinds: list(p["logKinds"], ",")}
	case "deny-assignment":
		return &evidence.CloudDenial{CloudItem: item, Rule: p["denyAssignmentName"], Scope: p["scope"]}
	case "subscription":
		return &evidence.CloudAccount{CloudItem: item, Standing: p["state"], May: standings[strings.ToLower(p["state"])]}
	case "provider":
		return r.service(item)
	case "health":
		return r.health(item)
	case "service-event":
		return &evidence.CloudServiceEvent{
			CloudItem: item, Title: p["title"], Since: stamp(p["since"]),
			Current: strings.EqualFold(p["status"], "Active") && strings.EqualFold(p["eventType"], "ServiceIssue"),
		}
	case "workspace":
		return &evidence.CloudDependency{CloudItem: item}
	}
	return &evidence.CloudOther{CloudItem: item}
}

func (r *resource) role(item evidence.CloudItem) *evidence.CloudRole {
	p := r.Properties
	if p[noRole] != "" {
		return &evidence.CloudRole{CloudItem: item, Principal: p["principalId"], None: true}
	}
	role := cmp.Or(p["roleDefinitionName"], path.Base(p["roleDefinitionId"]))
	return &evidence.CloudRole{CloudItem: item, Principal: p["principalId"], Role: role, OnlyReads: strings.HasSuffix(role, "Reader") || role == readerRole, Scope: p["scope"]}
}

// service converts a resource provider.
func (r *resource) service(item evidence.CloudItem) *evidence.CloudService {
	name, state := r.Properties["namespace"], r.Properties["registrationState"]
	return &evidence.CloudService{
		CloudItem: item, Service: name, Standing: state, Disabled: strings.EqualFold(state, "NotRegistered") || strings.EqualFold(state, "Unregistered"),
		Needed: strings.EqualFold(name, "Microsoft.ContainerService") || strings.EqualFold(name, "Microsoft.Compute"),
	}
}

func (r *resource) cluster(item evidence.CloudItem) *evidence.CloudCluster {
	p := r.Properties
	c := &evidence.CloudCluster{
		CloudItem: item, Version: cmp.Or(p["currentKubernetesVersion"], p["kubernetesVersion"]), ClosedLevel: p["restrictionLevel"], Identity: p["identity"],
		Admitted: list(p["authorizedIPRanges"], ","), Outbound: p["outboundType"], ImageChannel: p["nodeOSUpgradeChannel"],
		PodsInSubnet: p["networkPlugin"] == "azure" && p["networkPluginMode"] != "overlay",
	}
	if c.ClosedLevel != "" {
		c.Closed = evidence.Known(strings.EqualFold(c.ClosedLevel, "ReadOnly"))
	}
	if id := p["clientId"]; id != "" { // msi: a managed identity
		c.ActsByAccount = evidence.Known(!strings.EqualFold(id, "msi"))
		if c.ActsByAccount == evidence.True {
			c.Account = id
		}
	}
	if c.ImageChannel != "" {
		c.RenewsImages = evidence.Known(!strings.EqualFold(c.ImageChannel, "None") && !strings.EqualFold(c.ImageChannel, "Unmanaged"))
	}
	return c
}

func (r *resource) pool(item evidence.CloudItem) *evidence.CloudPool {
	p := r.Properties
	group, cluster := cmp.Or(partOfID(r.ID, "resourceGroups"), p["resourceGroup"]), cmp.Or(partOfID(r.ID, "managedClusters"), p[clusterOfRow])
	return &evidence.CloudPool{
		CloudItem: item, Count: number(p["count"]), Size: p["vmSize"], Family: family(p["vmSize"]), Cores: cores(p["vmSize"]),
		Account: partOfID(r.ID, "subscriptions"), Group: group, MachineGroup: machineGroup(group, cluster), Image: p["nodeImageVersion"], Version: cmp.Or(p["currentOrchestratorVersion"], p["orchestratorVersion"]),
		Autoscaling: fact(p["enableAutoScaling"]), Spot: spot(p["scaleSetPriority"]), MaxPods: number(p["maxPods"]), Subnet: p["vnetSubnetID"], PodSubnet: p["podSubnetID"],
		MaxSurge: p["maxSurge"], MaxUnavailable: p["maxUnavailable"], DrainTimeout: minutes(p["drainTimeout"]), Soak: minutes(p["soak"]),
		Undrainable: p["undrainable"], Zones: list(p["zones"], ","),
		Min: number(p["minCount"]), Max: number(p["maxCount"]), Mode: p["mode"], Priority: p["scaleSetPriority"], System: cmp.Or(p["osSKU"], p["osType"]), Labels: r.labels, Taints: r.taints,
	}
}

func (r *resource) machine(item evidence.CloudItem) *evidence.CloudMachine {
	p := r.Properties
	m := &evidence.CloudMachine{
		CloudItem: item, Host: p["host"], Set: set(r.ID), Number: p["instanceId"], Inside: "cloud agent", AnswerAt: "vmAgent", Answer: p["vmAgent"], Latest: fact(p["latestModelApplied"]), Spot: spot(p["priority"]),
		ProbeFails:  strings.EqualFold(p["health"], "HealthState/unhealthy"),
		FailedDisks: list(p["failedDisks"], ", "), FailedExtensions: list(p["failedExtensions"], ", "), Created: stamp(p["timeCreated"]),
		Extensions: r.programs, Group: cmp.Or(partOfID(r.ID, "resourceGroups"), p["resourceGroup"]), Size: cmp.Or(p["vmSize"], p["skuName"]), Image: p["image"], Zone: p["zone"],
	}
	if m.ID == "" && m.Group != "" {
		m.Names = map[string]string{"node-resource-group": m.Group}
		if set, number, inSet := strings.Cut(m.Name, "_"); inSet {
			m.Names["scale-set"], m.Names["instance-id"] = set, number
		} else if m.Number == "" {
			m.Names["machine-name"] = m.Name
		}
	}
	if ofService(cmp.Or(m.Host, m.Name)) {
		m.Joins = evidence.True
	}
	switch {
	case strings.EqualFold(m.Answer, "Ready"):
		m.Answers = evidence.True
	case m.Answer == "Not Ready":
		m.Answers = evidence.False
	}
	switch {
	case r.ID == "":
	case m.Set != "":
		m.ReadInstead = shell.Format("az rest --method post --url {id}/retrieveBootDiagnosticsData?api-version=2024-11-01", r.ID)
	default:
		m.ReadInstead = shell.Format("az vm boot-diagnostics get-boot-log --ids {id}", r.ID)
	}
	return m
}

func (r *resource) health(item evidence.CloudItem) *evidence.CloudHealth {
	p := r.Properties
	state, cause, kind := p["availabilityState"], p["healthEventCause"], p["reasonType"]
	on, _, _ := strings.Cut(strings.ToLower(r.ID), "/providers/microsoft.resourcehealth/")
	h := &evidence.CloudHealth{
		CloudItem: item, On: on, Word: state, Available: evidence.AvailableOther, Cause: cause, Kind: kind, Summary: p["summary"], Since: stamp(p["since"]),
		ByPlatform: strings.Contains(strings.ToLower(cause+kind), "platform") || cause == "" && strings.EqualFold(kind, "Unplanned"),
	}
	switch strings.ToLower(state) {
	case "", "unknown":
		h.Available = evidence.AvailableUnknown
	case "available":
		h.Available = evidence.Available
	case "unavailable", "degraded":
		h.Available = evidence.Degraded
	}
	return h
}

// readerRole is the ID of Azure's built-in role Reader.
const readerRole = "acdd72a7-3385-48ef-bd42-f606fba81ae7"

// standings map the states of subscriptions.
var standings = map[string]evidence.CloudAllowed{
	"enabled": evidence.AllowedYes, "warned": evidence.AllowedWarned, "pastdue": evidence.AllowedWarned, "disabled": evidence.AllowedNo, "deleted": evidence.AllowedNo,
}

// stage maps a provisioning state. The set of states is open: an unknown state means a change in progress.
func stage(state string) evidence.CloudStage {
	switch low := strings.ToLower(state); {
	case low == "":
		return evidence.StageUnknown
	case low == "succeeded":
		return evidence.StageDone
	case low == "canceled":
		return evidence.StageCanceled
	case strings.HasPrefix(low, "failed"):
		return evidence.StageFailed
	case strings.HasPrefix(low, "upgrading"):
		return evidence.StageUpgrading
	}
	return evidence.StageChanging
}

// power maps a power state.
func power(state string) evidence.CloudPower {
	switch low := strings.ToLower(state); {
	case low == "running":
		return evidence.PowerOn
	case strings.Contains(low, "dealloc"):
		return evidence.PowerReleased
	case strings.Contains(low, "stop"):
		return evidence.PowerOff
	}
	return evidence.PowerUnknown
}

// set returns the ID of the scale set of the machine with this ID in lower case, or "".
func set(id string) string {
	low := strings.ToLower(id)
	i := strings.LastIndex(low, "/virtualmachines/")
	if i < 0 || !strings.Contains(low, "/virtualmachinescalesets/") {
		return ""
	}
	return low[:i]
}

// states returns the number of machines of a scale set per state, from its instance view.
func (r *resource) states() (states map[evidence.CloudStage]int) {
	for one := range strings.SplitSeq(r.Properties["machineStates"], ",") {
		state, count, found := strings.Cut(one, "=")
		n, err := strconv.Atoi(count)
		if !found || err != nil || n < 0 {
			continue
		}
		if states == nil {
			states = map[evidence.CloudStage]int{}
		}
		states[stage(state)] += n
	}
	return states
}

// number parses an integer. Some usages are written as 11.0.
func number(s string) evidence.CloudCount {
	n, err := strconv.Atoi(strings.TrimSuffix(s, ".0"))
	if err != nil {
		return evidence.CloudCount{}
	}
	return evidence.CountOf(n)
}

func minutes(s string) time.Duration { return bounds.Times(int64(number(s).Value), time.Minute) }

func fact(s string) evidence.Fact {
	switch strings.ToLower(s) {
	case "true":
		return evidence.True
	case "false":
		return evidence.False
	}
	return evidence.Unknown
}

func broken(state string) evidence.Fact {
	if state == "" {
		return evidence.Unknown
	}
	return evidence.Known(strings.EqualFold(state, "NonCompliant"))
}

// denies reports whether a policy with this effect denies changes of a resource in this compliance state.
func denies(effect, state string) evidence.Fact {
	switch {
	case effect != "" && !strings.EqualFold(effect, "deny"), broken(state) == evidence.False:
		return evidence.False
	case effect == "" || state == "":
		return evidence.Unknown
	}
	return evidence.True
}

func spot(priority string) evidence.Fact {
	if priority == "" {
		return evidence.Unknown
	}
	return evidence.Known(strings.EqualFold(priority, "Spot"))
}

func list(s, between string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, between)
}
