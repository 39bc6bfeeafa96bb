package upgrade

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// countNeeds computes what the new nodes need of quota and subnet, and the free amounts if the cloud reported them.
func (u *Plan) countNeeds(s *evidence.Snapshot, p *pool) {
	n := &u.Needs
	n.Nodes = u.Settings.Surge
	model := p.model(p.zones()[0]).Node
	n.Cores = int64(n.Nodes) * model.Status.Capacity.Cpu().Value()
	n.Memory = int64(n.Nodes) * model.Status.Capacity.Memory().Value()
	n.PerNode = "one per node, plus maxPods per node if pods use IP addresses of the nodes' subnet"
	each := 1
	var subnet string
	if p.cloud != nil {
		subnet = p.cloud.Subnet
		if flat(s, p.cloud) {
			if pods := p.cloud.MaxPods.Value; p.cloud.MaxPods.Known {
				each += pods
				n.PerNode = fmt.Sprintf("one per node and %d for its pods", pods)
			}
		} else if len(clusters(s)) > 0 {
			n.PerNode = "one per node; pods use another address range"
		}
	}
	n.Addresses = n.Nodes * each
	n.CoresLeft = coresLeft(s, p.cloud)
	for _, r := range evidence.CloudOf[*evidence.CloudSubnet](s.Data()) {
		if free := r.Free(); free.Known && subnet != "" && strings.EqualFold(r.ID, subnet) {
			n.AddressesLeft = &free.Value
		}
	}
}

// coresLeft is how many cores all quotas leave that count those of the pool's machines; nil: unknown.
func coresLeft(s *evidence.Snapshot, pool *evidence.CloudPool) *int64 {
	var left *int64
	for _, q := range evidence.CloudOf[*evidence.CloudQuota](s.Data()) {
		ofFamily := pool != nil && q.Family != "" && q.Family == pool.Family
		free := q.Free()
		if !free.Known || !q.AllCores && !ofFamily {
			continue
		}
		if v := int64(free.Value); left == nil || v < *left {
			left = &v
		}
	}
	return left
}

func clusters(s *evidence.Snapshot) []*evidence.CloudCluster {
	return evidence.CloudOf[*evidence.CloudCluster](s.Data())
}

// flat reports whether pods use addresses of the nodes' subnet.
func flat(s *evidence.Snapshot, pool *evidence.CloudPool) bool {
	list := clusters(s)
	return len(list) > 0 && pool.PodSubnet == "" && list[0].PodsInSubnet
}

// Lacking reports whether the quota or the subnet does not have what the new nodes take.
func (n Needs) Lacking() bool { return n.LacksCores() || n.LacksAddresses() }

// LacksCores reports whether the quota has too few cores.
func (n Needs) LacksCores() bool { return n.CoresLeft != nil && *n.CoresLeft < n.Cores }

// LacksAddresses reports whether the subnet has too few addresses.
func (n Needs) LacksAddresses() bool {
	return n.AddressesLeft != nil && *n.AddressesLeft < n.Addresses
}
