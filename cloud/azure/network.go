package azure

import (
	"context"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// networks returns queries about the subnets of the pools: free addresses, and the egress rules.
func (s *survey) networks(ctx context.Context, subnets []string) (room, ways []question) {
	var seen []string
	once := func(id string) bool {
		key := strings.ToLower(id)
		if !safeID(id) || slices.Contains(seen, key) {
			return false
		}
		seen = append(seen, key)
		return true
	}
	for _, id := range subnets {
		if i := strings.LastIndex(strings.ToLower(id), "/subnets/"); i > 0 && once(id[:i]) {
			room = append(room, question{what: "use of the subnets of " + lastOf(id[:i]), cost: 1, about: fullSubnet, how: shell.Format("az rest --method get --url {id}/usages?api-version="+networkVersion, id[:i]),
				ask: func() { s.all(ctx, "use of subnets", s.address(id[:i]+"/usages", networkVersion)) }})
		}
		ways = append(ways, question{what: "subnet " + lastOf(id) + " with its security group and routes", cost: 3, about: wayOut, how: shell.Format("az network vnet subnet show --ids {id}", id),
			ask: func() { s.subnet(ctx, id, once) }})
	}
	return room, ways
}

// subnet reads a subnet, and its security group and route table once.
func (s *survey) subnet(ctx context.Context, id string, once func(id string) bool) {
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
