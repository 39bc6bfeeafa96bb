package azure

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// Versions of the APIs.
const (
	aksVersion      = "2025-10-01"
	computeVersion  = "2024-11-01"
	networkVersion  = "2024-05-01"
	groupVersion    = "2021-04-01"
	lockVersion     = "2020-05-01"
	activityVersion = "2015-04-01"
)

const (
	maxGroups  = 3              // node resource groups of one cluster
	maxSets    = 12             // scale sets whose instances are listed
	maxSingle  = 4              // machines of one scale set that are asked for one by one
	maxSubnets = 4              // subnets that are looked at
	lookBack   = 24 * time.Hour // in the activity log
)

// Reader reads clusters from Azure Resource Manager.
type Reader struct{ arm *arm.Client }

// Read asks about the machines, the cheapest and most telling questions first.
func (r *Reader) Read(ctx context.Context, about cloud.Scope, answer func(cloud.Document), gap func(evidence.Gap)) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s := &survey{client: client{arm: r.arm}, answer: answer, gap: gap, whole: about.Whole}
	groups := map[string][]machine{}
	for _, id := range about.ProviderIDs {
		if m, ok := parseMachine(id); ok {
			group := "/subscriptions/" + strings.ToLower(m.subscription) + "/resourceGroups/" + strings.ToLower(m.group)
			groups[group] = append(groups[group], m)
		}
	}
	ids := slices.Sorted(maps.Keys(groups))
	if len(ids) > maxGroups {
		gap(evidence.Gap{What: fmt.Sprintf("%d of %d resource groups of nodes in azure", len(ids)-maxGroups, len(ids)), Why: "too many for one diagnosis", How: "name a node"})
		ids = ids[:maxGroups]
	}
	for _, id := range ids {
		s.group(ctx, id, groups[id])
	}
}

// survey is one reading.
type survey struct {
	client
	answer func(cloud.Document)
	gap    func(evidence.Gap)
	whole  bool // list the instances of every scale set
	told   bool // why nothing is asked any more
}

// group reads the cluster behind a node resource group, and what lies in the group.
func (s *survey) group(ctx context.Context, id string, machines []machine) {
	var group struct {
		Location  string `json:"location"`
		ManagedBy string `json:"managedBy"`
	}
	s.one(ctx, "resource group", id, groupVersion, &group)
	cluster := group.ManagedBy
	var pools []pool
	if safeID(cluster) {
		s.one(ctx, "cluster", cluster, aksVersion, nil)
		pools = s.pools(ctx, cluster)
	}
	s.machines(ctx, id, machines)
	s.all(ctx, "locks of the node resource group", s.address(id+"/providers/Microsoft.Authorization/locks", lockVersion))
	s.activities(ctx, id)
	if safeID(cluster) {
		s.all(ctx, "locks of the cluster's resource group", s.address(groupOf(cluster)+"/providers/Microsoft.Authorization/locks", lockVersion))
		s.activities(ctx, groupOf(cluster))
	}
	if subscription, _, ok := strings.Cut(id, "/resourceGroups/"); ok && group.Location != "" && !unsafe(group.Location) {
		at := "/locations/" + group.Location + "/usages"
		s.all(ctx, "compute quotas", s.address(subscription+"/providers/Microsoft.Compute"+at, computeVersion))
		s.all(ctx, "network quotas", s.address(subscription+"/providers/Microsoft.Network"+at, networkVersion))
	}
	s.networks(ctx, pools)
}

// one reads a resource and hands it on; into, if any, takes the fields that lead further.
func (s *survey) one(ctx context.Context, what, id, version string, into any, query ...string) {
	body, err := s.get(ctx, s.address(id, version, query...))
	if err != nil {
		s.unread(what+" "+id, err)
		return
	}
	s.hand(what, body)
	if into != nil {
		_ = json.Unmarshal(body, into) // what does not fit leads nowhere
	}
}

// all reads a list and hands on its pages.
func (s *survey) all(ctx context.Context, what, address string) {
	if err := s.list(ctx, address, func(page []byte) { s.hand(what, page) }); err != nil {
		s.unread(what, err)
	}
}

func (s *survey) hand(what string, body []byte) {
	s.answer(cloud.Document{Name: "azure " + what, JSON: body})
}

// unread records what could not be read; why nothing more is asked, once.
func (s *survey) unread(what string, err error) {
	if s.ended != nil {
		if s.told {
			return
		}
		s.told = true
		what += " in azure, and everything after it"
	} else {
		what += " in azure"
	}
	s.gap(evidence.Gap{What: what, Why: err.Error(), How: "the role Reader on the cluster's and the node resource group, or the same by az, saved as a file"})
}

// activities reads the activity log of a resource group.
func (s *survey) activities(ctx context.Context, group string) {
	subscription, name, ok := strings.Cut(group, "/resourceGroups/")
	if !ok {
		subscription, name, ok = strings.Cut(group, "/resourcegroups/")
	}
	if !ok {
		return
	}
	now := time.Now().UTC()
	filter := fmt.Sprintf("eventTimestamp ge '%s' and eventTimestamp le '%s' and resourceGroupName eq '%s'",
		now.Add(-lookBack).Format(time.RFC3339), now.Format(time.RFC3339), name)
	s.all(ctx, "activity log of "+name, s.address(subscription+"/providers/Microsoft.Insights/eventtypes/management/values", activityVersion, "$filter", filter))
}
