package azure

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// managed is a cluster and its pools, as far as they lead further.
type managed struct {
	id         string // empty: not found
	properties struct {
		State string `json:"provisioningState"`
	}
	principal string // as whom the cluster acts
	pools     []pool
}

type pool struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Properties struct {
		State  string `json:"provisioningState"`
		Subnet string `json:"vnetSubnetID"`
		Size   string `json:"vmSize"`
	} `json:"properties"`
}

// cluster reads the cluster with that id and its pools.
func (s *survey) cluster(ctx context.Context, id string) *managed {
	c := &managed{}
	if !safeID(id) {
		return c
	}
	c.id = id
	var body struct {
		Properties struct {
			State string `json:"provisioningState"`
		} `json:"properties"`
		Identity struct {
			Principal string `json:"principalId"`
			Assigned  map[string]struct {
				Principal string `json:"principalId"`
			} `json:"userAssignedIdentities"`
		} `json:"identity"`
	}
	s.one(ctx, "cluster", id, aksVersion, &body)
	c.properties.State, c.principal = body.Properties.State, body.Identity.Principal
	for _, one := range body.Identity.Assigned {
		if c.principal == "" && len(body.Identity.Assigned) == 1 {
			c.principal = one.Principal
		}
	}
	err := s.list(ctx, s.address(id+"/agentPools", aksVersion), func(page []byte) {
		s.hand("pools", page)
		var list struct {
			Value []pool `json:"value"`
		}
		_ = json.Unmarshal(page, &list) // what does not fit leads nowhere
		c.pools = append(c.pools, list.Value...)
	})
	if err != nil {
		s.unread("pools of "+id, err)
	}
	return c
}

// failed tells whether the last operation on the cluster or a pool of it did not succeed.
func (c *managed) failed() bool {
	bad := func(state string) bool {
		return strings.EqualFold(state, "Failed") || strings.EqualFold(state, "Canceled")
	}
	return bad(c.properties.State) || slices.ContainsFunc(c.pools, func(p pool) bool { return bad(p.Properties.State) })
}

// changing tells whether a state is that of an operation under way. The list of such states is open.
func changing(state string) bool {
	return state != "" && !slices.ContainsFunc([]string{"Succeeded", "Failed", "Canceled"}, func(s string) bool { return strings.EqualFold(s, state) })
}

const maxOperations = 3 // that are asked for

// operations reads what runs on the cluster and its pools: how far it is, and since when.
func (s *survey) operations(ctx context.Context, c *managed) {
	asked := 0
	ask := func(what, id, state string) {
		if changing(state) && safeID(id) && asked < maxOperations {
			asked++
			s.one(ctx, "operation on "+what, id+"/operations/latest", operationVersion, nil)
		}
	}
	for _, p := range c.pools {
		ask("pool "+p.Name, p.ID, p.Properties.State)
	}
	if asked == 0 { // that of a pool shows on the cluster too
		ask("the cluster", c.id, c.properties.State)
	}
}

// versions reads which node image pools could have: for a diagnosis those that are not well.
func (s *survey) versions(ctx context.Context, c *managed) {
	for i, p := range c.pools {
		if safeID(p.ID) && i < maxSets && (s.about.Upgrade || !strings.EqualFold(p.Properties.State, "Succeeded")) {
			s.one(ctx, "upgrades of pool "+p.Name, p.ID+"/upgradeProfiles/default", aksVersion, nil)
		}
	}
}

// refusals reads what may forbid an operation: policies, deny assignments, and roles that the cluster lacks on its subnets.
func (s *survey) refusals(ctx context.Context, group string, c *managed, subnets []string) {
	address := s.address(group+"/providers/Microsoft.PolicyInsights/policyStates/latest/queryResults", policyVersion,
		"$filter", "complianceState eq 'NonCompliant' and policyDefinitionAction eq 'deny'", "$top", "100")
	if body, err := s.ask(ctx, http.MethodPost, address, maxAnswer); err != nil {
		s.unread("policy states of the node resource group", err)
	} else {
		s.hand("policy states", body)
	}
	s.all(ctx, "deny assignments", s.address(group+"/providers/Microsoft.Authorization/denyAssignments", roleVersion))
	for _, id := range subnets {
		if c.principal != "" { // all of them: where it has none, the others tell that they were read
			s.all(ctx, "roles of the cluster on its subnet", s.address(id+"/providers/Microsoft.Authorization/roleAssignments", roleVersion, "$filter", "atScope()"))
		}
	}
}

// sizes reads what is known of the pools' machine sizes in the region. The answer lists hundreds; the others are dropped.
func (s *survey) sizes(ctx context.Context, subscription, region string, pools []pool) {
	body, err := s.ask(ctx, http.MethodGet, s.address(subscription+"/providers/Microsoft.Compute/skus", sizeVersion, "$filter", "location eq '"+region+"'"), maxSizes)
	if err != nil {
		s.unread("machine sizes of "+region, err)
		return
	}
	var list struct {
		Value []json.RawMessage `json:"value"`
	}
	_ = json.Unmarshal(body, &list) // what does not fit is none
	wanted := []json.RawMessage{}
	for _, raw := range list.Value {
		var size struct {
			Name string `json:"name"`
			Type string `json:"resourceType"`
		}
		if json.Unmarshal(raw, &size) == nil && size.Type == "virtualMachines" &&
			slices.ContainsFunc(pools, func(p pool) bool { return strings.EqualFold(p.Properties.Size, size.Name) }) {
			wanted = append(wanted, raw)
		}
	}
	if kept, err := json.Marshal(map[string]any{"value": wanted}); err == nil {
		s.hand("machine sizes", kept)
	}
}

// health reads what the platform says of the cluster, of machines whose nodes are not Ready, and of its own services.
func (s *survey) health(ctx context.Context, cluster, subscription string) {
	const current = "/providers/Microsoft.ResourceHealth/availabilityStatuses/current"
	if cluster != "" {
		s.one(ctx, "health of the cluster", cluster+current, healthVersion, nil)
	}
	asked := 0
	for _, id := range s.about.Sick {
		m, ok := parseMachine(id)
		if !ok || asked == maxHealth {
			continue
		}
		asked++
		path := strings.TrimPrefix(id, "azure://") + current
		if m.set != "" {
			path = strings.Replace(path, "/availabilityStatuses/", "/childAvailabilityStatuses/", 1)
		}
		s.one(ctx, "health of the machine", path, healthVersion, nil)
	}
	s.all(ctx, "service events", s.address(subscription+"/providers/Microsoft.ResourceHealth/events", healthVersion, "$filter", "eventType eq 'ServiceIssue' and status eq 'Active'"))
}
