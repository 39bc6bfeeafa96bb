package azure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// API versions.
const (
	aksVersion          = "2025-10-01"
	operationVersion    = "2025-10-02-preview"
	computeVersion      = "2024-11-01"
	sizeVersion         = "2021-07-01"
	networkVersion      = "2024-05-01"
	groupVersion        = "2021-04-01"
	subscriptionVersion = "2022-12-01"
	lockVersion         = "2020-05-01"
	roleVersion         = "2022-04-01"
	policyVersion       = "2024-10-01"
	healthVersion       = "2025-05-01"
	activityVersion     = "2015-04-01"
	workspaceVersion    = "2023-09-01"
)

const (
	maxGroups  = 3              // node resource groups per cluster
	maxSets    = 12             // scale sets whose instances are listed
	maxSingle  = 4              // machines per scale set that are read one by one
	maxListed  = 200            // machines per scale set that are listed
	pageSize   = 50             // machines per page
	reserved   = 10             // requests reserved for everything except machines
	maxSick    = 6              // NotReady machines of larger sets that are read one by one
	maxHealth  = 2              // machines whose resource health is read
	maxSubnets = 4              // subnets that are read
	lookBack   = 24 * time.Hour // default for the activity log
	logKept    = 90 * 24 * time.Hour
)

// Reader reads clusters from Azure Resource Manager.
type Reader struct {
	arm          *arm.Client
	subscription string // from the user
	lookBack     time.Duration
}

// Read queries the machines, the cheapest and most useful queries first.
func (r *Reader) Read(ctx context.Context, about cloud.Scope, answer func(cloud.Document), gap func(evidence.Gap)) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s := &survey{client: client{arm: r.arm}, about: about, answer: answer, gap: gap, lookBack: r.lookBack, hints: map[topic]string{}}
	groups := r.groups(about, gap)
	ids := slices.Sorted(maps.Keys(groups))
	if len(ids) > maxGroups {
		gap(evidence.Gap{What: fmt.Sprintf("%d of %d resource groups of nodes in azure", len(ids)-maxGroups, len(ids)), Why: "too many for one diagnosis", How: "name a node"})
		ids = ids[:maxGroups]
	}
	for _, id := range ids {
		s.group(ctx, id, groups[id])
	}
}

// groups returns the machines by the ID of their resource group. For nodes without provider IDs it uses the groups in
// their labels, if the user set a subscription.
func (r *Reader) groups(about cloud.Scope, gap func(evidence.Gap)) map[string][]machine {
	groups := map[string][]machine{}
	var others []string
	for _, id := range about.ProviderIDs {
		m, ok := parseMachine(id)
		if !ok {
			continue
		}
		if r.subscription != "" && !strings.EqualFold(m.subscription, r.subscription) {
			if !slices.Contains(others, m.subscription) {
				others = append(others, m.subscription)
			}
			continue
		}
		group := "/subscriptions/" + strings.ToLower(m.subscription) + "/resourceGroups/" + strings.ToLower(m.group)
		groups[group] = append(groups[group], m)
	}
	if len(others) > 0 {
		gap(evidence.Gap{What: "VMs of nodes in azure subscription " + strings.Join(others[:min(len(others), maxGroups)], ", "), Why: "subscription " + r.subscription + " is selected, but these nodes are in another one",
			How: "leave --azure-subscription out, or unset AZURE_SUBSCRIPTION_ID"})
	}
	if len(groups) == 0 && len(others) == 0 && r.subscription != "" {
		for _, name := range groupsOf(about) {
			if !unsafe(name) {
				groups["/subscriptions/"+strings.ToLower(r.subscription)+"/resourceGroups/"+strings.ToLower(name)] = nil
			}
		}
	}
	return groups
}

// survey is one call of Read.
type survey struct {
	client
	about  cloud.Scope
	answer func(cloud.Document)
	gap    func(evidence.Gap)
	told   bool            // the end of reading was reported
	slow   map[string]bool // throttled providers that were reported
	sick   int             // number of NotReady machines read so far
	hints  map[topic]string

	lookBack time.Duration
}

// group reads the cluster of a node resource group, and the resources in the group, starting with those that later
// queries need.
func (s *survey) group(ctx context.Context, id string, machines []machine) {
	var group struct {
		Location  string `json:"location"`
		ManagedBy string `json:"managedBy"`
	}
	s.one(ctx, "resource group", id, groupVersion, &group)
	c := s.cluster(ctx, group.ManagedBy)
	s.activities(ctx, id)
	if c.id != "" {
		s.activities(ctx, groupOf(c.id))
	}
	s.machines(ctx, id, c, machines)
	p := place{nodes: id, cluster: c, subnets: c.subnets()}
	p.subscription, _, _ = strings.Cut(id, "/resourceGroups/")
	if !unsafe(group.Location) {
		p.region = group.Location
	}
	s.further(s.questions(ctx, p))
}

// one reads a resource and passes it on. into receives the fields that later queries need.
func (s *survey) one(ctx context.Context, what, id, version string, into any, query ...string) {
	body, err := s.get(ctx, s.address(id, version, query...))
	if err != nil {
		s.unread(what+" "+id, err)
		return
	}
	s.hand(what, body)
	if into != nil {
		_ = json.Unmarshal(body, into) // unexpected JSON yields no later queries
	}
}

// all reads a list and passes on its pages.
func (s *survey) all(ctx context.Context, what, address string) {
	s.most(ctx, what, fewPages, address)
}

// most reads at most a number of pages of a list.
func (s *survey) most(ctx context.Context, what string, pages int, address string) {
	if err := s.list(ctx, address, pages, func(page []byte) { s.hand(what, page) }); err != nil {
		s.unread(what, err)
	}
}

func (s *survey) hand(what string, body []byte) {
	for t, words := range topics {
		if s.hints[t] == "" {
			s.hints[t] = string(words.Find(body))
		}
	}
	s.answer(cloud.Document{Name: "azure " + what, JSON: body})
}

// unread records a failed query. It records the reason for the end of reading once.
func (s *survey) unread(what string, err error) {
	what += " in azure"
	if s.ended != nil {
		if s.told {
			return
		}
		s.told = true
		what += ", and everything after it"
	}
	for of, why := range s.throttled {
		if !errors.Is(err, why) {
			continue
		}
		if s.slow[of] {
			return
		}
		if s.slow == nil {
			s.slow = map[string]bool{}
		}
		s.slow[of] = true
		what += ", and everything else of " + of
	}
	var how shell.Text = "the role Reader on the cluster's and the node resource group, or the same by az, saved as a file"
	if errors.Is(err, errSlow) {
		how = "ask again later, and find who asks so much"
	}
	s.gap(evidence.Gap{What: what, Why: err.Error(), How: how})
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
		now.Add(-s.lookBack).Format(time.RFC3339), now.Format(time.RFC3339), name)
	s.all(ctx, "activity log of "+name, s.address(subscription+"/providers/Microsoft.Insights/eventtypes/management/values", activityVersion, "$filter", filter, "$select", activityFields))
}

// activityFields are the selected fields; the rest of an entry is larger than they are.
const activityFields = "eventTimestamp,operationName,status,subStatus,caller,correlationId,operationId,resourceId,properties,level,category,eventDataId"
