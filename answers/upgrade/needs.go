package upgrade

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// countNeeds says what the new nodes take of quota and subnet, and what is left where the cloud told.
func (u *Plan) countNeeds(s *evidence.Snapshot, p *pool) {
	n := &u.Needs
	n.Nodes = u.Settings.Surge
	model := p.model(p.zones()[0]).Node
	n.Cores = int64(n.Nodes) * model.Status.Capacity.Cpu().Value()
	n.Memory = int64(n.Nodes) * model.Status.Capacity.Memory().Value()
	n.PerNode = "one for each node; as many more as a node may run pods where pods have addresses of the nodes' subnet"
	each := 1
	var subnet string
	if p.cloud != nil {
		subnet = p.cloud.Subnet
		if flat(s, p.cloud) {
			if pods := p.cloud.MaxPods.Value; p.cloud.MaxPods.Known {
				each += pods
				n.PerNode = fmt.Sprintf("one for each node and %d for its pods", pods)
			}
		} else if len(clusters(s)) > 0 {
			n.PerNode = "one for each node; pods have addresses of their own network"
		}
	}
	n.Addresses = n.Nodes * each
	for _, q := range evidence.CloudOf[*evidence.CloudQuota](s.Data()) {
		if free := q.Free(); free.Known && strings.EqualFold(q.Name, "cores") {
			left := int64(free.Value)
			n.CoresLeft = &left
		}
	}
	for _, r := range evidence.CloudOf[*evidence.CloudSubnet](s.Data()) {
		if free := r.Free(); free.Known && subnet != "" && strings.EqualFold(r.ID, subnet) {
			n.AddressesLeft = &free.Value
		}
	}
}

func clusters(s *evidence.Snapshot) []*evidence.CloudCluster {
	return evidence.CloudOf[*evidence.CloudCluster](s.Data())
}

// flat reports whether pods have addresses of the nodes' subnet.
func flat(s *evidence.Snapshot, pool *evidence.CloudPool) bool {
	list := clusters(s)
	return len(list) > 0 && pool.PodSubnet == "" && list[0].PodsInSubnet
}

// lacksQuota reports whether the quota or the subnet does not have what the surge needs.
func (u *Plan) lacksQuota() bool {
	n := u.Needs
	return n.CoresLeft != nil && *n.CoresLeft < n.Cores || n.AddressesLeft != nil && *n.AddressesLeft < n.Addresses
}
