package azure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// topic is a subject of errors that one query can explain.
type topic int

const (
	nothing topic = iota
	wayOut
	fullSubnet
	quota
	publicIP
	locked
	policyDenied
	deniedByAssignment
	missingRole
	noSize
	workspace
	notRegistered
)

// topics match error texts in any earlier answer.
var topics = map[topic]*lazyregexp.Regexp{
	wayOut: lazyregexp.New(`OutboundConnFail|ServerConnFail|DNSLookupFail|[Dd]ownloadTimeout|K8SDownload|OrasPull|WINDOWS_CSE_ERROR_(?:CHECK_API|DOWNLOAD|ORAS)|` +
		`exit status=(?:9|25|26|31|33|41|42|45|50|51|52|53|60|70|71|99|117|124|152|169|203|205|211|215|225|226|241)\b|curl: \(|OutboundConnectivityNotEnabled`),
	fullSubnet:         lazyregexp.New(`Subnet(?:Is)?Full|InsufficientSubnetSize`),
	quota:              lazyregexp.New(`QuotaExceeded|[Cc]ores [Qq]uota|VCPUQuota|vcpu quota`),
	publicIP:           lazyregexp.New(`PublicIPCount|public IP address`),
	locked:             lazyregexp.New(`ScopeLocked|scope\(s\) are locked|is locked`),
	policyDenied:       lazyregexp.New(`RequestDisallowedByPolicy|policies/deny`),
	deniedByAssignment: lazyregexp.New(`DenyAssignment|deny assignment`),
	missingRole:        lazyregexp.New(`AuthorizationFailed|MissingNetworkPermission|MissingPermission|does not have (?:authorization|permission)`),
	noSize:             lazyregexp.New(`SkuNotAvailable|AllocationFailed|AllocationRequest|AvailabilityZoneNotSupported|NotAvailableForSubscription`),
	workspace:          lazyregexp.New(`(?i)log analytics workspace|OperationalInsights[^"]{0,200}not found`),
	notRegistered:      lazyregexp.New(`SubscriptionNotRegistered|MissingSubscriptionRegistration|(?:use|register for) namespace '[A-Za-z.]{1,60}`),
}

// question is an optional query. It is sent while requests are left.
type question struct {
	what  string     // what it reads
	cost  int        // maximum number of requests
	about topic      // it comes first if an error matches this topic
	how   shell.Text // command to read it by hand
	ask   func()
}

// place identifies a cluster and its node resource group.
type place struct {
	subscription, nodes string // IDs; nodes is that of the node resource group
	region              string // empty: unknown
	cluster             *managed
	subnets             []string
}

// further sends the queries, those first that match errors, and reports those without a remaining request.
func (s *survey) further(list []question) {
	pointed := func(q question) int {
		if s.hints[q.about] != "" {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b question) int { return pointed(a) - pointed(b) })
	var what []string
	var how []shell.Text
	for _, q := range list {
		if s.ended == nil && q.cost > s.left() {
			what = append(what, q.what)
			if !slices.Contains(how, q.how) {
				how = append(how, q.how)
			}
			continue
		}
		q.ask()
	}
	if len(what) > 0 {
		s.gap(evidence.Gap{What: strings.Join(what, ", ") + " in azure", Why: "not queried: " + errBudget.Error() + ", and other queries were more important", How: shell.Join("; ", how...)})
	}
}

// questions returns the queries for this diagnosis, the most useful first.
func (s *survey) questions(ctx context.Context, p place) []question {
	c := p.cluster
	room, ways := s.networks(ctx, p.subnets)
	out := []question{
		{what: "state of the subscription", cost: 1, how: "az account show", ask: func() { s.one(ctx, "subscription", p.subscription, subscriptionVersion, nil) }},
		{what: "locks", cost: 1, about: locked, how: shell.Format("az lock list -g {group}", lastOf(p.nodes)), ask: func() { s.locks(ctx, p.subscription, p.nodes, c, p.subnets) }},
	}
	out = append(out, room...)
	if p.region != "" {
		out = append(out, s.usages(ctx, p, "compute quotas", "Microsoft.Compute", computeVersion, quota, shell.Format("az vm list-usage -l {region}", p.region)))
	}
	out = append(out, s.operations(ctx, c)...)
	if c.id != "" {
		out = append(out, question{what: "maintenance windows", cost: 1, how: "az aks maintenanceconfiguration list", ask: func() {
			s.all(ctx, "maintenance windows", s.address(c.id+"/maintenanceConfigurations", aksVersion))
		}})
	}
	out = append(out, ways...)
	if len(s.about.Sick) > 0 {
		out = append(out, s.healths(ctx, p)...)
	}
	if c.failed() || s.about.Upgrade {
		out = append(out, s.refusals(ctx, p)...)
		out = append(out, s.versions(ctx, c)...)
	}
	if p.region != "" && (len(s.about.Sick) > 0 || c.failed() || s.about.Upgrade) {
		out = append(out, s.usages(ctx, p, "network quotas", "Microsoft.Network", networkVersion, publicIP, shell.Format("az network list-usages -l {region}", p.region)))
	}
	return append(out, s.pointed(ctx, p)...)
}

func (s *survey) usages(ctx context.Context, p place, what, provider, version string, about topic, how shell.Text) question {
	return question{what: what, cost: 1, about: about, how: how, ask: func() {
		s.all(ctx, what, s.address(p.subscription+"/providers/"+provider+"/locations/"+p.region+"/usages", version))
	}}
}

// refusals returns the queries about what may block an operation.
func (s *survey) refusals(ctx context.Context, p place) []question {
	out := []question{
		{what: "policy states", cost: 1, about: policyDenied, how: shell.Format("az policy state list -g {group}", lastOf(p.nodes)), ask: func() { s.policies(ctx, p.nodes) }},
		{what: "deny assignments", cost: 1, about: deniedByAssignment, how: shell.Format("az rest --method get --url {id}/providers/Microsoft.Authorization/denyAssignments?api-version="+roleVersion, p.nodes), ask: func() {
			s.all(ctx, "deny assignments", s.address(p.nodes+"/providers/Microsoft.Authorization/denyAssignments", roleVersion))
		}},
	}
	if p.cluster.principal != "" && len(p.subnets) > 0 {
		out = append(out, question{what: "roles of the cluster on its subnets", cost: len(p.subnets), about: missingRole, how: shell.Format("az role assignment list --all --assignee {principal}", p.cluster.principal),
			ask: func() { s.roles(ctx, p.subnets) }})
	}
	if p.region != "" {
		out = append(out, question{what: "machine sizes of " + p.region, cost: 1, about: noSize, how: shell.Format("az vm list-skus -l {region}", p.region), ask: func() { s.sizes(ctx, p.subscription, p.region, p.cluster.pools) }})
	}
	return out
}

// pointed returns the queries that are useful only after a matching error.
func (s *survey) pointed(ctx context.Context, p place) (out []question) {
	id := p.cluster.id
	if id != "" && (s.hints[wayOut] != "" || cutOff(s.about)) {
		out = append(out, question{what: "addresses that the cluster must reach", cost: 1, about: wayOut, how: shell.Format("az rest --method get --url {id}/outboundNetworkDependenciesEndpoints?api-version="+aksVersion, id), ask: func() {
			s.all(ctx, "addresses that the cluster must reach", s.address(id+"/outboundNetworkDependenciesEndpoints", aksVersion))
		}})
	}
	if p.cluster.workspace != "" && s.hints[workspace] != "" {
		out = append(out, question{what: "monitoring workspace", cost: 1, about: workspace, how: shell.Format("az resource show --ids {id}", p.cluster.workspace), ask: func() { s.workspace(ctx, p.cluster.workspace) }})
	}
	if words := s.hints[notRegistered]; words != "" {
		_, name, _ := strings.Cut(words, "'")
		if name == "" || unsafe(name) {
			name = "Microsoft.ContainerService"
		}
		out = append(out, question{what: "registration of " + name, cost: 1, about: notRegistered, how: shell.Format("az provider show -n {provider}", name), ask: func() {
			s.one(ctx, "registration of "+name, p.subscription+"/providers/"+name, groupVersion, nil)
		}})
	}
	return out
}

// workspace reads whether the Log Analytics workspace of the cluster exists. A missing workspace is also an answer.
func (s *survey) workspace(ctx context.Context, id string) {
	const what = "monitoring workspace"
	body, err := s.get(ctx, s.address(id, workspaceVersion))
	var missing *gone
	switch {
	case err == nil:
		s.hand(what, body)
	case errors.As(err, &missing):
		var refusal struct {
			Error json.RawMessage `json:"error"`
		}
		_ = json.Unmarshal(missing.body, &refusal)
		if refusal.Error == nil {
			refusal.Error = json.RawMessage(fmt.Sprintf(`{"code": "ResourceNotFound", "message": %q}`, http.StatusText(http.StatusNotFound)))
		}
		if raw, err := json.Marshal(map[string]any{"id": id, "error": refusal.Error}); err == nil {
			s.hand(what, raw)
		}
	default:
		s.unread(what, err)
	}
}
