package azure

import (
	"context"
	"slices"
	"strings"
)

// networks reads the subnets of the pools, their use, and what decides whether nodes reach the outside.
func (s *survey) networks(ctx context.Context, pools []pool) (subnets []string) {
	var seen []string
	for _, p := range pools {
		id := p.Properties.Subnet
		if safeID(id) && !slices.ContainsFunc(subnets, func(o string) bool { return strings.EqualFold(o, id) }) && len(subnets) < maxSubnets {
			subnets = append(subnets, id)
		}
	}
	once := func(id string) bool {
		key := strings.ToLower(id)
		if !safeID(id) || slices.Contains(seen, key) {
			return false
		}
		seen = append(seen, key)
		return true
	}
	for _, id := range subnets {
		i := strings.LastIndex(strings.ToLower(id), "/subnets/")
		if i > 0 && once(id[:i]) {
			s.all(ctx, "use of subnets", s.address(id[:i]+"/usages", networkVersion))
		}
		var subnet struct {
			Properties struct {
				Group struct {
					ID string `json:"id"`
				} `json:"networkSecurityGroup"`
				Table struct {
					ID string `json:"id"`
				} `json:"routeTable"`
			} `json:"properties"`
		}
		s.one(ctx, "subnet", id, networkVersion, &subnet)
		if group := subnet.Properties.Group.ID; once(group) {
			s.one(ctx, "security group", group, networkVersion, nil)
		}
		if table := subnet.Properties.Table.ID; once(table) {
			s.one(ctx, "route table", table, networkVersion, nil)
		}
	}
	return subnets
}
