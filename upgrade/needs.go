package upgrade

import (
	"fmt"
	"strconv"
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
		subnet = p.cloud.Properties["vnetSubnetID"]
		if flat(s, p.cloud) {
			pods, err := strconv.Atoi(p.cloud.Properties["maxPods"])
			if err == nil {
				each += pods
				n.PerNode = fmt.Sprintf("one for each node and %d for its pods", pods)
			}
		} else if len(clusters(s)) > 0 {
			n.PerNode = "one for each node; pods have addresses of their own network"
		}
	}
	n.Addresses = n.Nodes * each
	for _, r := range s.Data().CloudResources {
		used, err1 := strconv.ParseInt(r.Properties["currentValue"], 10, 64)
		limit, err2 := strconv.ParseInt(r.Properties["limit"], 10, 64)
		if err1 != nil || err2 != nil {
			continue
		}
		left := limit - used
		switch {
		case r.Type == "quota" && strings.EqualFold(r.Name, "cores"):
			n.CoresLeft = &left
		case r.Type == "subnet" && subnet != "" && strings.EqualFold(r.ID, subnet):
			free := int(left)
			n.AddressesLeft = &free
		}
	}
}

func clusters(s *evidence.Snapshot) (out []*evidence.CloudResource) {
	for _, r := range s.Data().CloudResources {
		if r.Type == "cluster" {
			out = append(out, r)
		}
	}
	return out
}

// flat reports whether pods have addresses of the nodes' subnet, as Azure CNI without overlay gives them.
func flat(s *evidence.Snapshot, pool *evidence.CloudResource) bool {
	list := clusters(s)
	if len(list) == 0 || pool.Properties["podSubnetID"] != "" {
		return false
	}
	network := list[0].Properties
	return network["networkPlugin"] == "azure" && network["networkPluginMode"] != "overlay"
}

// lacksQuota reports whether the quota or the subnet does not have what the surge needs.
func (u *Plan) lacksQuota() bool {
	n := u.Needs
	return n.CoresLeft != nil && *n.CoresLeft < n.Cores || n.AddressesLeft != nil && *n.AddressesLeft < n.Addresses
}
