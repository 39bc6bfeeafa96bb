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

// Versions of the APIs.
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
	maxGroups  = 3              // node resource groups of one cluster
	maxSets    = 12             // scale sets whose instances are listed
	maxSingle  = 4              // machines of one scale set that are asked for one by one
	maxListed  = 200            // machines of a scale set of which all are listed
	pageSize   = 50             // of them on a page
	reserved   = 10             // requests that the machines leave for everything else
	maxSick    = 6              // machines of bigger ones that are asked for because their nodes are not Ready
	maxHealth  = 2              // machines whose health is asked for
	maxSubnets = 4              // subnets that are looked at
	lookBack   = 24 * time.Hour // in the activity log, if nobody asks for more
	logKept    = 90 * 24 * time.Hour
)

// Reader reads clusters from Azure Resource Manager.
type Reader struct {
	arm          *arm.Client
	subscription string // that the user named
	lookBack     time.Duration
}

// Read asks about the machines, the cheapest and most telling questions first.
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

// groups are the machines by the ids of their resource groups. Nodes without provider ids have the groups that their
// labels name, if the user said in which subscription.
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
		gap(evidence.Gap{What: "machines of nodes in azure subscription " + strings.Join(others[:min(len(others), maxGroups)], ", "), Why: "subscription " + r.subscription + " was asked for, and these nodes are in another",
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

// survey is one reading.
type survey struct {
	client
	about  cloud.Scope
	answer func(cloud.Document)
	gap    func(evidence.Gap)
	told   bool            // why nothing is asked any more
	slow   map[string]bool // throttled providers that were told
	sick   int             // machines that were asked for because their nodes are not Ready
	hints  map[topic]string

	lookBack time.Duration
}

// group reads the cluster behind a node resource group, and what lies in the group: first what leads further.
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
	s.most(ctx, what, fewPages, address)
}

// most reads not more than so many pages of a list.
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

// unread records what could not be read; why nothing more is asked, once.
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

// activityFields are those that are read; the rest of an entry is larger than they are.
const activityFields = "eventTimestamp,operationName,status,subStatus,caller,correlationId,operationId,resourceId,properties,level,category,eventDataId"
