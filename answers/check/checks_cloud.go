package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// cloudChecks check what the next upgrade of a managed cluster needs from its cloud. Sources: AKS documentation, upgrade
// options (the checks before an upgrade), planned maintenance, support policies (images of 90 days).
var cloudChecks = []check{
	{"cloud-state", "Resources that the cloud does not upgrade in their current state", "find the last failure (nodetriage diagnose), fix it, then reconcile the pool and the cluster", High, nil, (*reviewer).cloudState},
	{"cloud-locks", "Locks that block an upgrade: AKS must be able to delete VMs and IP addresses", "remove the lock during the upgrade", High, nil, (*reviewer).cloudLocks},
	{"cloud-quota", "Pools without quota for the surge", "lower maxSurge, use maxUnavailable, or request more quota", High, nil, (*reviewer).cloudQuota},
	{"cloud-subnet", "Pools without free IP addresses for the surge", "lower maxSurge, use maxUnavailable, or move the pool to a larger subnet", High, nil, (*reviewer).cloudSubnet},
	{"cloud-outbound", "Networks in which a new VM cannot bootstrap: no outbound HTTPS", "allow what AKS requires: aka.ms/aks/outbound", High, nil, (*reviewer).cloudOutbound},
	{"cloud-sizes", "Pools whose VM size is not available", "add a pool of another size or zone", High, nil, (*reviewer).cloudSizes},
	{"cloud-versions", "Pools with an unsupported version skew to the control plane", "upgrade the pools, the control plane first", High, nil, (*reviewer).cloudVersions},
	{"cloud-policies", "Policies that the cluster violates: changes are denied", "change the resource, exclude the node resource group, or ask for an exemption", Medium, nil, (*reviewer).cloudPolicies},
	{"cloud-images", "Pools and nodes with old node images", "upgrade the node image: after 90 days there is no support", Medium, nil, (*reviewer).cloudImages},
	{"cloud-window", "Upgrades that the cloud can start automatically at any time", "set a planned maintenance window", Low, nil, (*reviewer).cloudWindow},
	{"cloud-channel", "Node images that are not updated automatically", "choose a node OS channel, or upgrade the images yourself each month", Low, nil, (*reviewer).cloudChannel},
}

// cloudOf returns the cloud's resources of a type, in the order in which they were read.
func cloudOf[T evidence.CloudResource](r *reviewer) []T { return evidence.CloudOf[T](r.s.Data()) }

// managed reports whether a managed cluster was read. If nodes are machines of a cloud that was not read, it records that.
func (r *reviewer) managed() bool {
	if len(cloudOf[*evidence.CloudPool](r)) > 0 {
		return true
	}
	for _, n := range r.s.Data().Nodes {
		if _, ok := evidence.ManagedMachine(n.Spec.ProviderID); ok {
			r.unknown("whether the cloud allows the next upgrade", "no cloud resource was read", advice.Default.Command(advice.SignIn)+" and check again, or save "+advice.Default.Command(advice.ShowState)+" as files")
			break
		}
	}
	return false
}

// answered reports whether a cloud answered a query, even with an empty list.
func (r *reviewer) answered(question string) bool {
	return slices.ContainsFunc(r.s.Data().CloudAnswers, func(name string) bool { return strings.HasSuffix(name, " "+question) })
}

// networksUnread reports whether nothing was read about the network between a new machine and the internet.
func (r *reviewer) networksUnread() bool {
	return len(evidence.SecurityGroups(r.s.Data())) == 0 && len(cloudOf[*evidence.CloudRouteTable](r)) == 0 && !r.answered("subnet")
}

// clusters returns the managed clusters. If none was read, it records that for what.
func (r *reviewer) clusters(what string) []*evidence.CloudCluster {
	all := cloudOf[*evidence.CloudCluster](r)
	if len(all) == 0 {
		r.unknown(what, "the cluster resource was not read", advice.Default.Command(advice.ShowCluster))
	}
	return all
}

func poolSubject(p *evidence.CloudPool) evidence.Subject {
	return evidence.Subject{Kind: "Pool", Name: p.Name}
}

func (r *reviewer) cloudState() {
	for _, c := range r.clusters("the state of the cluster") {
		r.unitState(evidence.ClusterSubject(), &c.CloudItem)
	}
	for _, p := range cloudOf[*evidence.CloudPool](r) {
		r.unitState(poolSubject(p), &p.CloudItem)
	}
	for _, s := range cloudOf[*evidence.CloudAccount](r) {
		if s.Standing != "" && s.May != evidence.AllowedYes {
			r.add(evidence.Subject{Kind: "Subscription", Name: s.Name}, "is "+s.Standing)
		}
	}
}

// unitState checks the state of a cluster or pool.
func (r *reviewer) unitState(on evidence.Subject, c *evidence.CloudItem) {
	switch c.Stage {
	case evidence.StageDone:
	case evidence.StageUnknown:
		r.unknown("the state of "+strings.TrimSpace(c.Type+" "+c.Name), "it was not read", advice.Default.Command(advice.ShowCluster))
	case evidence.StageFailed, evidence.StageCanceled:
		r.add(on, "the state of its last operation is "+c.State)
	default:
		r.add(on, "an operation is in progress: "+c.State)
	}
	if c.Up.Off() {
		r.add(on, "is stopped")
	}
}

func (r *reviewer) cloudLocks() {
	if len(cloudOf[*evidence.CloudLock](r)) == 0 && !r.answered("locks") {
		r.unknown("whether a lock blocks the upgrade", "locks were not read", advice.Default.Command(advice.ShowLocks))
	}
	for _, l := range cloudOf[*evidence.CloudLock](r) {
		r.add(evidence.Subject{Kind: "Lock", Name: l.Name}, fmt.Sprintf("%s on %s", l.Level, l.Scope[strings.LastIndexByte(l.Scope, '/')+1:]),
			advice.Default.Command(advice.DeleteLock, l.ID))
	}
}

// cloudQuota compares the cores of the surge with the free quota of the region and of the size's family.
func (r *reviewer) cloudQuota() {
	free := map[string]int{}
	for _, q := range cloudOf[*evidence.CloudQuota](r) {
		if left := q.Free(); left.Known {
			free[strings.ToLower(q.Name)] = left.Value
		}
	}
	for _, p := range cloudOf[*evidence.CloudPool](r) {
		surge := p.Surge()
		if surge == 0 {
			continue
		}
		size := r.size(p)
		each := 0
		if size != nil {
			each = size.Cores.Value
		}
		names := []string{"cores"}
		if p.Spot == evidence.True {
			names = []string{"lowprioritycores"}
		} else if size != nil {
			names = append(names, strings.ToLower(size.Family))
		}
		for _, name := range names {
			left, known := free[name]
			switch {
			case each == 0 || !known:
				r.unknown("whether the quota is sufficient for the surge of pool "+p.Name, "its size or the quota "+name+" was not read", advice.Default.Command(advice.ShowSizesAndQuota))
			case left < surge*each:
				r.add(poolSubject(p), fmt.Sprintf("a surge of %s needs %d cores; %d of quota %s are free", wording.Count(surge, "node"), surge*each, max(left, 0), name))
			}
		}
	}
}

// size returns the pool's machine size, or nil if unknown.
func (r *reviewer) size(p *evidence.CloudPool) *evidence.CloudSize {
	for _, s := range cloudOf[*evidence.CloudSize](r) {
		if strings.EqualFold(s.Name, p.Size) {
			return s
		}
	}
	return nil
}

func (r *reviewer) cloudSizes() {
	for _, p := range cloudOf[*evidence.CloudPool](r) {
		s := r.size(p)
		if s == nil {
			r.unknown("whether the VM size of pool "+p.Name+" is available", "its size was not read", advice.Default.Command(advice.ShowSizesAndQuota))
			continue
		}
		if why := s.Restricted(p); why != "" {
			r.add(poolSubject(p), "size "+s.Name+" is "+why)
		}
	}
}

func (r *reviewer) cloudSubnet() {
	var cluster *evidence.CloudCluster
	if all := cloudOf[*evidence.CloudCluster](r); len(all) > 0 {
		cluster = all[0]
	}
	for _, p := range cloudOf[*evidence.CloudPool](r) {
		id, need := p.Subnet, p.SurgeAddresses(cluster)
		if need == 0 {
			continue
		}
		known := false
		for _, s := range cloudOf[*evidence.CloudSubnet](r) {
			left := s.Free()
			if id == "" || !strings.EqualFold(s.ID, id) || !left.Known {
				continue
			}
			known = true
			if left.Value < need {
				r.add(poolSubject(p), fmt.Sprintf("the surge needs %d IP addresses; %d of %d are free", need, max(left.Value, 0), s.Limit.Value))
			}
		}
		if !known {
			r.unknown("whether the subnet has IP addresses for the surge of pool "+p.Name, "its usage was not read", advice.Default.Command(advice.ShowSubnetUse))
		}
	}
}

func (r *reviewer) cloudOutbound() {
	if r.networksUnread() {
		r.unknown("whether a new VM reaches the required outbound endpoints", "security groups and routes of the subnets were not read", advice.Default.Command(advice.ShowNetworkRules))
	}
	for _, g := range evidence.SecurityGroups(r.s.Data()) {
		if rule := g.Denial(); rule != "" {
			r.add(evidence.Subject{Kind: "SecurityGroup", Name: g.Name}, "denies HTTPS to the internet by rule "+rule)
		}
	}
	for _, t := range cloudOf[*evidence.CloudRouteTable](r) {
		if t.Drops {
			r.add(evidence.Subject{Kind: "RouteTable", Name: t.Name}, "drops all outbound traffic: 0.0.0.0/0 has next hop "+t.DefaultRoute)
		}
	}
}

// cloudVersions compares pools with the control plane. AKS allows the version skew of kubelets, and no newer pool.
func (r *reviewer) cloudVersions() {
	for _, c := range r.clusters("the version skew of the pools") {
		version := c.Version
		plane, ok := minor(version)
		if !ok {
			r.unknown("the version skew of the pools", "its version was not read", advice.Default.Command(advice.ShowCluster))
			continue
		}
		for _, p := range cloudOf[*evidence.CloudPool](r) {
			has := p.Version
			switch pool, ok := minor(has); {
			case !ok:
				r.unknown("the version skew of pool "+p.Name, "its version was not read", advice.Default.Command(advice.ShowState))
			case pool > plane:
				r.add(poolSubject(p), fmt.Sprintf("version %s is newer than the control plane's %s", has, version))
			case plane-pool >= skew: // too old after the next upgrade of the control plane
				r.add(poolSubject(p), fmt.Sprintf("version %s is %d minor versions behind the control plane's %s: the next control plane upgrade is blocked", has, plane-pool, version))
			}
		}
	}
}

func (r *reviewer) cloudPolicies() {
	if len(cloudOf[*evidence.CloudPolicyState](r)) == 0 && !r.answered("policy states") {
		r.unknown("whether a policy denies a change of the cluster", "policy states were not read", advice.Default.Command(advice.ShowPolicies))
	}
	for _, s := range cloudOf[*evidence.CloudPolicyState](r) {
		if s.Denies == evidence.True {
			r.add(evidence.Subject{Kind: "PolicyAssignment", Name: s.Assignment}, fmt.Sprintf("definition %s denies %s in its current state", s.Definition, s.On[strings.LastIndexByte(s.On, '/')+1:]))
		}
	}
}
