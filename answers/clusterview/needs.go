package clusterview

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Needs is what more nodes of a pool need, in addition to the current usage.
type Needs struct {
	Nodes     int    `json:"nodes"`
	Cores     int64  `json:"cores"`
	Memory    int64  `json:"memoryBytes"`
	Addresses int    `json:"addresses"` // of the nodes' subnet
	PerNode   string `json:"perNode"`   // how the addresses are counted
	// Free quota and subnet; null: unknown.
	CoresLeft     *int64 `json:"coresLeft"`
	AddressesLeft *int   `json:"addressesLeft"`
}

// NeedsOf returns what more nodes like the given one need of quota and subnet, and the free amounts if the cloud reported them.
// pool is nil if the cloud did not report it.
func NeedsOf(s *evidence.Snapshot, pool *evidence.CloudPool, like *corev1.Node, nodes int) Needs {
	n := Needs{Nodes: nodes, PerNode: "one per node, plus maxPods per node if pods use IP addresses of the nodes' subnet"}
	n.Cores = int64(nodes) * like.Status.Capacity.Cpu().Value()
	n.Memory = int64(nodes) * like.Status.Capacity.Memory().Value()
	each := 1
	var subnet string
	if pool != nil {
		subnet = pool.Subnet
		if flat(s, pool) {
			if pods := pool.MaxPods.Value; pool.MaxPods.Known {
				each += pods
				n.PerNode = fmt.Sprintf("one per node and %d for its pods", pods)
			}
		} else if len(clusters(s)) > 0 {
			n.PerNode = "one per node; pods use another address range"
		}
	}
	n.Addresses = nodes * each
	n.CoresLeft = coresLeft(s, pool)
	for _, r := range evidence.CloudOf[*evidence.CloudSubnet](s.Data()) {
		if free := r.Free(); free.Known && subnet != "" && strings.EqualFold(r.ID, subnet) {
			n.AddressesLeft = &free.Value
		}
	}
	return n
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
