package azure

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// managed is a cluster and its pools, as far as later queries need them.
type managed struct {
	id         string // empty: not found
	properties struct {
		State string `json:"provisioningState"`
	}
	principal string // identity of the cluster
	workspace string // Log Analytics workspace
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

// cluster reads the cluster with this ID and its pools.
func (s *survey) cluster(ctx context.Context, id string) *managed {
	c := &managed{}
	if !safeID(id) {
		return c
	}
	c.id = id
	var body struct {
		Properties struct {
			State  string `json:"provisioningState"`
			Addons map[string]struct {
				Config map[string]string `json:"config"`
			} `json:"addonProfiles"`
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
	for _, addon := range body.Properties.Addons { // the case of names varies
		for key, value := range addon.Config {
			if strings.EqualFold(key, "logAnalyticsWorkspaceResourceID") && safeID(value) {
				c.workspace = value
			}
		}
	}
	err := s.list(ctx, s.address(id+"/agentPools", aksVersion), fewPages, func(page []byte) {
		s.hand("pools", page)
		var list struct {
			Value []pool `json:"value"`
		}
		_ = json.Unmarshal(page, &list) // unexpected JSON yields no later queries
		c.pools = append(c.pools, list.Value...)
	})
	if err != nil {
		s.unread("pools of "+id, err)
	}
	return c
}

// failed reports whether the last operation on the cluster or one of its pools failed.
func (c *managed) failed() bool {
	bad := func(state string) bool {
		return strings.EqualFold(state, "Failed") || strings.EqualFold(state, "Canceled")
	}
	return bad(c.properties.State) || slices.ContainsFunc(c.pools, func(p pool) bool { return bad(p.Properties.State) })
}

// succeeded reports whether the last operation on the pool succeeded.
func (c *managed) succeeded(name string) bool {
	return slices.ContainsFunc(c.pools, func(p pool) bool {
		return strings.EqualFold(p.Name, name) && strings.EqualFold(p.Properties.State, "Succeeded")
	})
}

// subnets returns the subnet IDs of the pools.
func (c *managed) subnets() (ids []string) {
	for _, p := range c.pools {
		id := p.Properties.Subnet
		if safeID(id) && !slices.ContainsFunc(ids, func(o string) bool { return strings.EqualFold(o, id) }) && len(ids) < maxSubnets {
			ids = append(ids, id)
		}
	}
	return ids
}

// changing reports whether a state means a running operation. The set of such states is open.
func changing(state string) bool {
	return state != "" && !slices.ContainsFunc([]string{"Succeeded", "Failed", "Canceled"}, func(s string) bool { return strings.EqualFold(s, state) })
}

const maxOperations = 3 // maximum number of queries

// operations returns queries for the progress and start of running operations on the cluster and its pools.
func (s *survey) operations(ctx context.Context, c *managed) (out []question) {
	ask := func(what, id, state string) {
		if changing(state) && safeID(id) && len(out) < maxOperations {
			out = append(out, question{what: "operation on " + what, cost: 1, how: "az aks operation show-latest", ask: func() {
				s.one(ctx, "operation on "+what, id+"/operations/latest", operationVersion, nil)
			}})
		}
	}
	for _, p := range c.pools {
		ask("pool "+p.Name, p.ID, p.Properties.State)
	}
	if len(out) == 0 { // the cluster also shows the operation of a pool
		ask("the cluster", c.id, c.properties.State)
	}
	return out
}

// versions returns queries for the available node images of pools. A diagnosis queries only unhealthy pools.
func (s *survey) versions(ctx context.Context, c *managed) (out []question) {
	for i, p := range c.pools {
		if safeID(p.ID) && i < maxSets && (s.about.Upgrade || !strings.EqualFold(p.Properties.State, "Succeeded")) {
			out = append(out, question{what: "upgrades of pool " + p.Name, cost: 1, how: shell.Format("az aks nodepool get-upgrades --nodepool-name {pool}", p.Name), ask: func() {
				s.one(ctx, "upgrades of pool "+p.Name, p.ID+"/upgradeProfiles/default", aksVersion, nil)
			}})
		}
	}
	return out
}

// policies reads which resources of the node resource group a policy denies.
func (s *survey) policies(ctx context.Context, group string) {
	address := s.address(group+"/providers/Microsoft.PolicyInsights/policyStates/latest/queryResults", policyVersion,
		"$filter", "complianceState eq 'NonCompliant' and policyDefinitionAction eq 'deny'", "$top", "100")
	body, err := s.ask(ctx, http.MethodPost, address, maxAnswer)
	if err != nil {
		s.unread("policy states of the node resource group", err)
		return
	}
	s.hand("policy states", body)
}

// roles reads all roles on the subnets. If the cluster has none, the others prove that the list was read.
func (s *survey) roles(ctx context.Context, subnets []string) {
	for _, id := range subnets {
		s.all(ctx, "roles of the cluster on its subnet", s.address(id+"/providers/Microsoft.Authorization/roleAssignments", roleVersion, "$filter", "atScope()"))
	}
}

// sizes reads the region's data about the VM sizes of the pools. It drops the other hundreds of sizes.
func (s *survey) sizes(ctx context.Context, subscription, region string, pools []pool) {
	body, err := s.ask(ctx, http.MethodGet, s.address(subscription+"/providers/Microsoft.Compute/skus", sizeVersion, "$filter", "location eq '"+region+"'"), maxSizes)
	if err != nil {
		s.unread("machine sizes of "+region, err)
		return
	}
	var list struct {
		Value []json.RawMessage `json:"value"`
	}
	_ = json.Unmarshal(body, &list) // unexpected JSON counts as none
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

const healthNow = "/providers/Microsoft.ResourceHealth/availabilityStatuses/current"

// healths returns queries for the resource health of machines with NotReady nodes, and for the health of Azure services
// and the cluster.
func (s *survey) healths(ctx context.Context, p place) (out []question) {
	const how = "az rest --method get --url <id>" + healthNow + "?api-version=" + healthVersion
	one := func(what, path string) {
		out = append(out, question{what: "health of " + what, cost: 1, how: how, ask: func() { s.one(ctx, "health of "+what, path, healthVersion, nil) }})
	}
	for _, id := range s.about.Sick {
		m, ok := parseMachine(id)
		if !ok || len(out) == maxHealth {
			continue
		}
		path := strings.TrimPrefix(id, "azure://") + healthNow
		if m.set != "" {
			path = strings.Replace(path, "/availabilityStatuses/", "/childAvailabilityStatuses/", 1)
		}
		one("the machine", path)
	}
	out = append(out, question{what: "service events", cost: 1, how: "the Service Health page of the portal", ask: func() {
		s.all(ctx, "service events", s.address(p.subscription+"/providers/Microsoft.ResourceHealth/events", healthVersion, "$filter", "eventType eq 'ServiceIssue' and status eq 'Active'"))
	}})
	if p.cluster.id != "" {
		one("the cluster", p.cluster.id+healthNow)
	}
	return out
}
