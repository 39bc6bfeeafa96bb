package azure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// pool is what of an agent pool leads further.
type pool struct {
	Properties struct {
		Subnet string `json:"vnetSubnetID"`
	} `json:"properties"`
}

// pools reads the agent pools of a cluster.
func (s *survey) pools(ctx context.Context, cluster string) []pool {
	var pools []pool
	err := s.list(ctx, s.address(cluster+"/agentPools", aksVersion), func(page []byte) {
		s.hand("pools", page)
		var list struct {
			Value []pool `json:"value"`
		}
		_ = json.Unmarshal(page, &list)
		pools = append(pools, list.Value...)
	})
	if err != nil {
		s.unread("pools of "+cluster, err)
	}
	return pools
}

// machines reads the scale sets of the group and the instances behind the nodes: one by one where they are few, so
// that the cost of one node does not depend on the size of its pool.
func (s *survey) machines(ctx context.Context, group string, machines []machine) {
	compute := group + "/providers/Microsoft.Compute/"
	s.all(ctx, "scale sets", s.address(compute+"virtualMachineScaleSets", computeVersion))
	of := map[string][]string{}
	var sets, single []string
	for _, m := range machines {
		if m.set == "" {
			single = append(single, m.name)
			continue
		}
		if of[m.set] == nil {
			sets = append(sets, m.set)
		}
		of[m.set] = append(of[m.set], m.instance)
	}
	slices.Sort(sets)
	if len(sets) > maxSets {
		s.gap(evidence.Gap{What: "instances of " + strings.Join(sets[maxSets:], ", ") + " in azure", Why: "too many scale sets for one diagnosis", How: "name a node"})
		sets = sets[:maxSets]
	}
	for _, set := range sets {
		id := compute + "virtualMachineScaleSets/" + set
		s.one(ctx, "scale set "+set, id+"/instanceView", computeVersion, nil)
		if len(of[set]) > maxSingle || s.whole {
			s.all(ctx, "instances of "+set, s.address(id+"/virtualMachines", computeVersion, "$expand", "instanceView"))
			continue
		}
		for _, instance := range of[set] {
			body, err := s.get(ctx, s.address(id+"/virtualMachines/"+instance, computeVersion, "$expand", "instanceView"))
			if errors.Is(err, errGone) { // what is there instead tells that it is gone
				s.all(ctx, "instances of "+set, s.address(id+"/virtualMachines", computeVersion, "$expand", "instanceView"))
				break
			}
			if err != nil {
				s.unread("instance "+instance+" of "+set, err)
				continue
			}
			s.hand("instance", body)
		}
	}
	slices.Sort(single)
	for i, name := range single {
		if i >= maxSets {
			s.gap(evidence.Gap{What: fmt.Sprintf("%d machines in azure", len(single)-i), Why: "too many machines for one diagnosis", How: "name a node"})
			break
		}
		s.one(ctx, "machine", compute+"virtualMachines/"+name, computeVersion, nil, "$expand", "instanceView")
	}
}
