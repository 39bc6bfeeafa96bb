package review

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// cloudChecks are what the next upgrade of a managed cluster needs of its cloud. Sources: AKS documentation, upgrade
// options (the checks before an upgrade), planned maintenance, support policies (images of 90 days).
var cloudChecks = []check{
	{"cloud-state", "What the cloud refuses to upgrade until it is put right", "find the last failure (nodetriage diagnose), cure it, then reconcile the pool and the cluster", High, nil, (*reviewer).cloudState},
	{"cloud-locks", "Locks that refuse an upgrade: AKS must be able to delete machines and addresses", "remove the lock for the time of the upgrade", High, nil, (*reviewer).cloudLocks},
	{"cloud-quota", "Pools whose surge has no quota", "lower maxSurge, use maxUnavailable, or ask for more quota", High, nil, (*reviewer).cloudQuota},
	{"cloud-subnet", "Pools whose surge has no addresses", "lower maxSurge, use maxUnavailable, or move the pool to a larger subnet", High, nil, (*reviewer).cloudSubnet},
	{"cloud-outbound", "Networks in which a new machine cannot bootstrap: no HTTPS to the outside", "allow what AKS requires: aka.ms/aks/outbound", High, nil, (*reviewer).cloudOutbound},
	{"cloud-sizes", "Pools whose machine size is not to be had", "add a pool of another size or zone", High, nil, (*reviewer).cloudSizes},
	{"cloud-versions", "Pools whose version is too far from the control plane's", "upgrade the pools, the control plane first", High, nil, (*reviewer).cloudVersions},
	{"cloud-policies", "Policies that deny what the cluster has: a change of it is refused", "change the resource, exclude the node resource group, or ask for an exemption", Medium, nil, (*reviewer).cloudPolicies},
	{"cloud-images", "Pools and nodes with old node images", "upgrade the node image: after 90 days there is no support", Medium, nil, (*reviewer).cloudImages},
	{"cloud-window", "Upgrades that the cloud begins by itself at any hour", "set a planned maintenance window", Low, nil, (*reviewer).cloudWindow},
	{"cloud-channel", "Node images that nobody renews", "choose a node OS channel, or upgrade the images yourself each month", Low, nil, (*reviewer).cloudChannel},
}

func (r *reviewer) cloud(typ string) []*evidence.CloudResource {
	var out []*evidence.CloudResource
	for _, c := range r.s.Data().CloudResources {
		if c.Type == typ {
			out = append(out, c)
		}
	}
	return out
}

// managed tells whether a managed cluster was read. Where nodes are machines of a cloud that was not read, it says so.
func (r *reviewer) managed() bool {
	if len(r.cloud("pool")) > 0 {
		return true
	}
	for _, n := range r.s.Data().Nodes {
		if strings.HasPrefix(n.Spec.ProviderID, "azure://") {
			r.unknown("what the cloud allows of the next upgrade", "nothing of the cloud was read", "az login and check again, or save az aks show, az aks nodepool list and az vm list-usage as files")
			break
		}
	}
	return false
}

func poolSubject(p *evidence.CloudResource) evidence.Subject {
	return evidence.Subject{Kind: "Pool", Name: p.Name}
}

func (r *reviewer) cloudState() {
	for _, c := range append(r.cloud("cluster"), r.cloud("pool")...) {
		on := evidence.ClusterSubject()
		if c.Type == "pool" {
			on = poolSubject(c)
		}
		switch state := c.Provisioning; {
		case strings.EqualFold(state, "Succeeded"):
		case state == "":
			r.unknown("the state of "+strings.TrimSpace(c.Type+" "+c.Name), "it was not read", "az aks show")
		case strings.EqualFold(state, "Failed"), strings.EqualFold(state, "Canceled"):
			r.add(on, "its last operation ended "+state)
		default:
			r.add(on, "an operation is under way: "+state)
		}
		if strings.EqualFold(c.Power, "Stopped") {
			r.add(on, "is stopped")
		}
	}
	for _, s := range r.cloud("subscription") {
		if state := s.Properties["state"]; state != "" && !strings.EqualFold(state, "Enabled") {
			r.add(evidence.Subject{Kind: "Subscription", Name: s.Name}, "is "+state)
		}
	}
}

func (r *reviewer) cloudLocks() {
	for _, l := range r.cloud("lock") {
		scope, _, _ := strings.Cut(l.ID, "/providers/Microsoft.Authorization/")
		r.add(evidence.Subject{Kind: "Lock", Name: l.Name}, fmt.Sprintf("%s on %s", l.Properties["level"], scope[strings.LastIndexByte(scope, '/')+1:]),
			command("az lock delete --ids %", l.ID))
	}
}

// cloudQuota compares the cores of the surge with what is free of the region and of the size's family.
func (r *reviewer) cloudQuota() {
	free := map[string]int{}
	for _, q := range r.cloud("quota") {
		used, err1 := strconv.Atoi(q.Properties["currentValue"])
		limit, err2 := strconv.Atoi(q.Properties["limit"])
		if err1 == nil && err2 == nil {
			free[strings.ToLower(q.Name)] = limit - used
		}
	}
	for _, p := range r.cloud("pool") {
		surge := evidence.Surge(p)
		if surge == 0 {
			continue
		}
		size := r.size(p)
		each := 0
		if size != nil {
			each, _ = strconv.Atoi(size.Properties["vCPUs"])
		}
		names := []string{"cores"}
		if strings.EqualFold(p.Properties["scaleSetPriority"], "Spot") {
			names = []string{"lowprioritycores"}
		} else if size != nil {
			names = append(names, strings.ToLower(size.Properties["family"]))
		}
		for _, name := range names {
			left, known := free[name]
			switch {
			case each == 0 || !known:
				r.unknown("whether the quota has room for the surge of pool "+p.Name, "its size or the quota "+name+" was not read", "az vm list-skus and az vm list-usage")
			case left < surge*each:
				r.add(poolSubject(p), fmt.Sprintf("a surge of %d machines needs %d cores, %d of quota %s are free", surge, surge*each, max(left, 0), name))
			}
		}
	}
}

// size is what is known of the pool's machine size, or nil.
func (r *reviewer) size(p *evidence.CloudResource) *evidence.CloudResource {
	for _, s := range r.cloud("sku") {
		if strings.EqualFold(s.Name, p.Properties["vmSize"]) {
			return s
		}
	}
	return nil
}

func (r *reviewer) cloudSizes() {
	for _, p := range r.cloud("pool") {
		if s := r.size(p); s != nil {
			if why := s.Restricted(p); why != "" {
				r.add(poolSubject(p), "size "+s.Name+" is "+why)
			}
		}
	}
}

func (r *reviewer) cloudSubnet() {
	var cluster *evidence.CloudResource
	if all := r.cloud("cluster"); len(all) > 0 {
		cluster = all[0]
	}
	for _, p := range r.cloud("pool") {
		id, need := p.Properties["vnetSubnetID"], evidence.SurgeAddresses(p, cluster)
		if id == "" || need == 0 {
			continue
		}
		known := false
		for _, s := range r.cloud("subnet") {
			used, err1 := strconv.Atoi(s.Properties["currentValue"])
			limit, err2 := strconv.Atoi(s.Properties["limit"])
			if !strings.EqualFold(s.ID, id) || err1 != nil || err2 != nil {
				continue
			}
			known = true
			if left := limit - used; left < need {
				r.add(poolSubject(p), fmt.Sprintf("the surge needs %d addresses, %d of %d are free", need, max(left, 0), limit))
			}
		}
		if !known {
			r.unknown("whether the subnet has room for the surge of pool "+p.Name, "its use was not read", "az rest --method get --url <virtual-network-id>/usages?api-version=2024-05-01")
		}
	}
}

func (r *reviewer) cloudOutbound() {
	for _, g := range r.cloud("security-group") {
		if rule := g.Properties["deniesOutbound"]; rule != "" {
			r.add(evidence.Subject{Kind: "SecurityGroup", Name: g.Name}, "denies HTTPS to the internet by rule "+rule)
		}
	}
	for _, t := range r.cloud("route-table") {
		if hop := t.Properties["defaultRoute"]; strings.HasPrefix(hop, "None") {
			r.add(evidence.Subject{Kind: "RouteTable", Name: t.Name}, "drops everything: 0.0.0.0/0 leads to "+hop)
		}
	}
}

// cloudVersions compares pools with the control plane: AKS allows the distance of kubelets, and none ahead.
func (r *reviewer) cloudVersions() {
	for _, c := range r.cloud("cluster") {
		version := c.Properties["currentKubernetesVersion"]
		if version == "" {
			version = c.Properties["kubernetesVersion"]
		}
		plane, ok := minor(version)
		if !ok {
			continue
		}
		for _, p := range r.cloud("pool") {
			has := p.Properties["currentOrchestratorVersion"]
			if has == "" {
				has = p.Properties["orchestratorVersion"]
			}
			switch pool, ok := minor(has); {
			case !ok:
			case pool > plane:
				r.add(poolSubject(p), fmt.Sprintf("version %s is newer than the control plane's %s", has, version))
			case plane-pool >= skew: // the next upgrade of the control plane would leave it behind
				r.add(poolSubject(p), fmt.Sprintf("version %s is %d minor versions behind the control plane's %s: the next upgrade of that is refused", has, plane-pool, version))
			}
		}
	}
}

func (r *reviewer) cloudPolicies() {
	for _, s := range r.cloud("policy") {
		if strings.EqualFold(s.Properties["policyDefinitionAction"], "deny") && strings.EqualFold(s.Properties["complianceState"], "NonCompliant") {
			id := s.Properties["resourceId"]
			r.add(evidence.Subject{Kind: "PolicyAssignment", Name: s.Properties["policyAssignmentName"]}, fmt.Sprintf("definition %s denies %s as it is", s.Properties["policyDefinitionName"], id[strings.LastIndexByte(id, '/')+1:]))
		}
	}
}
