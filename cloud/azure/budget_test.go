package azure

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// TestReadBudget counts the requests of a diagnosis for small and big, healthy and unhealthy clusters: always under 30.
// make bench prints the numbers. Required queries are sent in each of them.
func TestReadBudget(t *testing.T) {
	type state struct {
		pools, nodes, sick, failed int // nodes of each pool
		upgrade                    bool
	}
	var states []state
	for _, size := range [][2]int{{1, 3}, {1, 100}, {1, 5000}, {5, 3}, {5, 20}, {5, 50}, {5, 100}, {5, 200}, {5, 1000}, {12, 50}, {20, 100}} {
		for _, sick := range []int{0, 5, 50} {
			for _, failed := range slices.Compact([]int{0, 1, size[0]}) {
				states = append(states, state{size[0], size[1], sick, failed, false})
			}
		}
		states = append(states, state{size[0], size[1], 0, 0, true}, state{size[0], size[1], 50, size[0], true})
	}
	for _, c := range states {
		about := cloud.Scope{Whole: true, Upgrade: c.upgrade}
		for p := range c.pools {
			for i := range c.nodes {
				id := fmt.Sprintf("azure:///subscriptions/0/resourceGroups/mc_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-p%d-1-vmss/virtualMachines/%d", p, i)
				about.ProviderIDs = append(about.ProviderIDs, id)
				if i%max(1, c.nodes/10) == 0 && len(about.Sick) < c.sick {
					about.Sick = append(about.Sick, id)
				}
			}
		}
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch path := r.URL.Path; {
			case strings.HasSuffix(path, "-vmss/virtualMachines"): // 50 per page
				from, _ := strconv.Atoi(r.URL.Query().Get("$skiptoken"))
				next := ""
				if from+50 < c.nodes {
					next = fmt.Sprintf(`, "nextLink": "http://%s%s?api-version=1&$skiptoken=%d"`, r.Host, path, from+50)
				}
				fmt.Fprintf(w, `{"value": []%s}`, next)
			case strings.HasSuffix(path, "/virtualMachineScaleSets"):
				var sets []string
				for p := range c.pools {
					sets = append(sets, fmt.Sprintf(`{"name": "aks-p%d-1-vmss", "tags": {"aks-managed-poolName": "p%d"}, "sku": {"capacity": %d}, "properties": {"provisioningState": "Succeeded"}}`, p, p, c.nodes))
				}
				fmt.Fprintf(w, `{"value": [%s]}`, strings.Join(sets, ","))
			case strings.HasSuffix(path, "/agentPools"):
				var pools []string
				for p := range c.pools {
					failed := p < c.failed
					pools = append(pools, fmt.Sprintf(`{"id": "%s/agentPools/p%d", "name": "p%d", "properties": {"provisioningState": "%s", "vmSize": "s", "vnetSubnetID": %q}}`,
						managedBy, p, p, map[bool]string{true: "Failed", false: "Succeeded"}[failed], subnetID))
				}
				fmt.Fprintf(w, `{"value": [%s]}`, strings.Join(pools, ","))
			case strings.HasSuffix(path, "/managedClusters/aks"):
				fmt.Fprint(w, `{"identity": {"principalId": "me"}, "properties": {"provisioningState": "Succeeded"}}`)
			default:
				cluster(w, r)
			}
		})
		_, gaps := reading(t, s, about)
		t.Logf("%d pools of %d nodes, %d sick, %d pools failed, before an upgrade %v: %d requests, %d gaps", c.pools, c.nodes, len(about.Sick), c.failed, c.upgrade, len(s.asked), len(gaps))
		if len(s.asked) >= 30 {
			t.Errorf("%+v: %d requests", c, len(s.asked))
		}
		for _, always := range []string{"/managedClusters/aks", "/agentPools", "/virtualMachineScaleSets", "/aks-p0-1-vmss", "/management/values", "/locks", "Microsoft.Compute/locations/region/usages", "/virtualNetworks/v/usages"} {
			if !slices.ContainsFunc(s.asked, func(a string) bool { return strings.Contains(a, always) }) {
				t.Errorf("%+v: %s was not asked for", c, always)
			}
		}
		if c.failed == 0 && c.sick == 0 && c.nodes <= 50 && c.pools <= 5 && !c.upgrade && len(gaps) > 0 {
			t.Errorf("%+v: gaps %v", c, gaps)
		}
	}
}

// Queries that match an error come first, and a gap with a command names skipped queries.
func TestQuestionsFollowErrors(t *testing.T) {
	for _, c := range []struct{ name, message, part string }{
		{"a public address", "PublicIPCountLimitReached", "Microsoft.Network/locations/region/usages"},
		{"a policy", "RequestDisallowedByPolicy", "/policyStates/latest/queryResults"},
		{"a size", "ZonalAllocationFailed", "/skus"},
		{"a role", "LinkedAuthorizationFailed", "/roleAssignments"},
		{"a deny assignment", "DenyAssignmentAuthorizationFailed", "/denyAssignments"},
		{"the way out", "OutboundConnFailVMExtensionError", "/outboundNetworkDependenciesEndpoints"},
		{"a workspace", "Unable to get log analytics workspace info", "/workspaces/logs"},
		{"a provider", "The subscription is not registered to use namespace 'Microsoft.Storage'", "/providers/Microsoft.Storage"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				switch path := r.URL.Path; {
				case strings.HasSuffix(path, "/managedClusters/aks"):
					fmt.Fprintf(w, `{"identity": {"principalId": "me"}, "properties": {"provisioningState": "Failed", "status": {"provisioningError": {"code": "X", "message": %q}},
						"addonProfiles": {"omsAgent": {"config": {"logAnalyticsWorkspaceResourceID": "/subscriptions/0/resourceGroups/mon/providers/Microsoft.OperationalInsights/workspaces/logs"}}}}}`, c.message)
				case strings.HasSuffix(path, "/workspaces/logs"):
					missing(w)
				default:
					cluster(w, r)
				}
			})
			about := failing
			for i := range 500 { // the machines use their whole share
				about.ProviderIDs = append(about.ProviderIDs, strings.Replace(node, "np1", fmt.Sprintf("p%d", i%11), 1)+strconv.Itoa(i))
			}
			answers, gaps := reading(t, s, about)
			if !slices.ContainsFunc(s.asked, func(a string) bool { return strings.Contains(a, c.part) }) {
				t.Errorf("%s was not asked for: %q", c.part, s.asked)
			}
			if i := slices.IndexFunc(gaps, func(g evidence.Gap) bool { return strings.Contains(g.Why, "bound") }); i < 0 || !strings.Contains(string(gaps[i].How), "az ") || len(s.asked) >= 30 {
				t.Errorf("%d requests, gaps %v", len(s.asked), gaps)
			}
			if c.name == "a workspace" && !slices.Contains(answers, "azure monitoring workspace") {
				t.Errorf("that it is gone was not handed on: %q, %v", answers, gaps)
			}
		})
	}
}

// Retries of the pipeline count too.
func TestRepeatedRequestsCount(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	saved := retries
	retries.RetryDelay, retries.MaxRetryDelay = 1, 1
	defer func() { retries = saved }()
	_, gaps := reading(t, s, failing)
	if len(s.asked) > maxReads || len(gaps) == 0 {
		t.Errorf("%d requests, gaps %v", len(s.asked), gaps)
	}
}
