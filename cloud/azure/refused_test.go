package azure

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

const (
	managedBy = "/subscriptions/0/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks"
	subnetID  = "/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes"
)

// cluster answers like a cluster whose last operation failed, so that all queries are sent.
func cluster(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/resourceGroups/mc_rg"):
		fmt.Fprintf(w, `{"location": "region", "managedBy": %q}`, managedBy)
	case strings.HasSuffix(path, "/agentPools"):
		fmt.Fprintf(w, `{"value": [{"id": "%s/agentPools/np1", "name": "np1", "properties": {"provisioningState": "Failed", "vmSize": "s", "vnetSubnetID": %q}},
			{"id": "%s/agentPools/np2", "name": "np2", "properties": {"provisioningState": "Scaling", "vmSize": "s"}}]}`, managedBy, subnetID, managedBy)
	case strings.HasSuffix(path, "/managedClusters/aks"):
		fmt.Fprint(w, `{"identity": {"principalId": "me"}, "properties": {"provisioningState": "Failed"}}`)
	case strings.HasSuffix(path, "/subnets/nodes"):
		fmt.Fprint(w, `{"properties": {"networkSecurityGroup": {"id": "/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/networkSecurityGroups/g"},
			"routeTable": {"id": "/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/routeTables/t"}}}`)
	case strings.HasSuffix(path, "/skus"):
		fmt.Fprint(w, `{"value": [{"name": "s", "resourceType": "virtualMachines"}, {"name": "other", "resourceType": "virtualMachines"}, 7]}`)
	default:
		fmt.Fprint(w, `{"value": []}`)
	}
}

var failing = cloud.Scope{ProviderIDs: []string{node}, Sick: []string{node}, Whole: true}

// Each missing permission is a gap that names it, and everything else is read.
func TestEachRightMissing(t *testing.T) {
	all := serve(t, cluster)
	if _, gaps := reading(t, all, failing); len(gaps) > 0 {
		t.Fatalf("gaps %v", gaps)
	}
	if len(all.asked) > 30 {
		t.Errorf("%d requests", len(all.asked))
	}
	for _, c := range []struct{ part, code, gap string }{
		{"/resourceGroups/mc_rg", "AuthorizationFailed", "resource group"}, {"/managedClusters/aks", "AuthorizationFailed", "cluster"}, {"/agentPools", "AuthorizationFailed", "pools of"},
		{"/subscriptions/0", "AuthorizationFailed", "subscription"},
		{"/virtualMachineScaleSets", "AuthorizationFailed", "scale sets"}, {"/aks-np1-1-vmss/instanceView", "AuthorizationFailed", "scale set aks-np1-1-vmss"},
		{"/aks-np1-1-vmss/virtualMachines", "AuthorizationFailed", "instances of"}, {"/subscriptions/0/providers/Microsoft.Authorization/locks", "AuthorizationFailed", "locks of the subscription"},
		{"/management/values", "AuthorizationFailed", "activity log"}, {"/maintenanceConfigurations", "AuthorizationFailed", "maintenance windows"},
		{"Microsoft.Compute/locations/region/usages", "AuthorizationFailed", "compute quotas"}, {"Microsoft.Network/locations/region/usages", "AuthorizationFailed", "network quotas"},
		{"/virtualNetworks/v/usages", "LinkedAuthorizationFailed", "use of subnets"}, {"/subnets/nodes", "AuthorizationFailed", "subnet"}, {"/networkSecurityGroups/g", "AuthorizationFailed", "security group"},
		{"/routeTables/t", "AuthorizationFailed", "route table"}, {"/operations/latest", "AuthorizationFailed", "operation on pool np2"}, {"/upgradeProfiles/default", "AuthorizationFailed", "upgrades of pool"},
		{"/policyStates/latest/queryResults", "AuthorizationFailed", "policy states"}, {"/denyAssignments", "AuthorizationFailed", "deny assignments"}, {"/roleAssignments", "AuthorizationFailed", "roles of the cluster"},
		{"/skus", "AuthorizationFailed", "machine sizes"}, {"/managedClusters/aks/providers/Microsoft.ResourceHealth/availabilityStatuses/current", "AuthorizationFailed", "health of the cluster"},
		{"/childAvailabilityStatuses/current", "AuthorizationFailed", "health of the machine"}, {"/Microsoft.ResourceHealth/events", "AuthorizationFailed", "service events"},
	} {
		t.Run(c.part, func(t *testing.T) {
			refused := 0
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, c.part) {
					cluster(w, r)
					return
				}
				refused++
				w.WriteHeader(http.StatusForbidden)
				fmt.Fprintf(w, `{"error": {"code": %q, "message": "The client 'me' does not have authorization to perform action 'x/read'."}}`, c.code)
			})
			answers, gaps := reading(t, s, failing)
			if refused == 0 {
				t.Fatal("was not asked for")
			}
			if len(gaps) == 0 || !strings.Contains(gaps[0].What, c.gap) || !strings.Contains(gaps[0].Why, c.code) || !strings.Contains(string(gaps[0].How), "Reader") {
				t.Errorf("gaps %v", gaps)
			}
			if len(answers) < 3 {
				t.Errorf("only %q were read after it", answers)
			}
		})
	}
}

// If the locks of the subscription are forbidden, the locks of the two groups are read.
func TestLocksOfGroups(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case strings.HasPrefix(path, "/subscriptions/0/providers/Microsoft.Authorization/locks"):
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"error": {"code": "AuthorizationFailed", "message": "may not"}}`)
		case strings.HasSuffix(path, "/resourceGroups/rg/providers/Microsoft.Authorization/locks"):
			w.WriteHeader(http.StatusForbidden)
		default:
			cluster(w, r)
		}
	})
	answers, gaps := reading(t, s, failing)
	if len(gaps) != 2 || !strings.Contains(gaps[0].What, "locks of the subscription") || !strings.Contains(gaps[1].What, "locks of /subscriptions/0/resourceGroups/rg ") ||
		!slices.Contains(answers, "azure locks of /subscriptions/0/resourceGroups/mc_rg") {
		t.Errorf("answers %q, gaps %v", answers, gaps)
	}
}

// Only locks that block this cluster are passed on.
func TestLocksThatMatter(t *testing.T) {
	lock := func(scope string) string {
		return fmt.Sprintf(`{"id": "%s/providers/Microsoft.Authorization/locks/keep", "properties": {"level": "ReadOnly"}}`, scope)
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/locks") {
			cluster(w, r)
			return
		}
		fmt.Fprintf(w, `{"value": [%s, 7, {"id": 7}]}`, strings.Join([]string{lock("/subscriptions/0"), lock("/subscriptions/0/resourceGroups/RG"), lock("/subscriptions/0/resourceGroups/other"),
			lock("/subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Network/publicIPAddresses/p"), lock("/subscriptions/0/resourceGroups/mc_rg2"), lock("/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/V")}, ","))
	})
	r, err := NewReader(Options{Endpoint: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	var locks string
	r.Read(t.Context(), failing, func(d cloud.Document) {
		if d.Name == "azure locks" {
			locks = string(d.JSON)
		}
	}, func(g evidence.Gap) { t.Errorf("gap %v", g) })
	if n := strings.Count(locks, `"ReadOnly"`); n != 4 || strings.Contains(locks, "other") || strings.Contains(locks, "mc_rg2") {
		t.Errorf("%d locks: %s", n, locks)
	}
}

// A missing login is reported once and ends the reading.
func TestUnauthorizedEnds(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error": {"code": "InvalidAuthenticationToken", "message": "The access token is invalid."}}`)
	})
	_, gaps := reading(t, s, failing)
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "401 InvalidAuthenticationToken") || len(s.asked) > 2 {
		t.Errorf("%d requests, gaps %v", len(s.asked), gaps)
	}
}

// A throttled provider receives no more requests, and the others do. The gap has the Retry-After.
func TestOneProviderThrottles(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "Microsoft.Compute") || strings.Contains(r.URL.Path, "Microsoft.ResourceHealth") {
			cluster(w, r)
			return
		}
		w.Header().Set("Retry-After", "300")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error": {"code": "TooManyRequests", "message": "slow down"}}`)
	})
	answers, gaps := reading(t, s, failing)
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "300 s") || !strings.Contains(gaps[0].What, "microsoft.compute") || !strings.Contains(string(gaps[0].How), "later") || len(answers) < 10 {
		t.Errorf("answers %q, gaps %v", answers, gaps)
	}
	asked := 0
	for _, a := range s.asked {
		if strings.Contains(a, "Microsoft.Compute") && !strings.Contains(a, "Microsoft.ResourceHealth") {
			asked++
		}
	}
	if asked > 3 {
		t.Errorf("it was asked %d times", asked)
	}
}

// An endless list is read up to its bound.
func TestEndlessPages(t *testing.T) {
	n := 0
	var s *server
	s = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/management/values") {
			cluster(w, r)
			return
		}
		n++
		fmt.Fprintf(w, `{"value": [], "nextLink": "%s%s?api-version=1&$skiptoken=%d"}`, s.URL, r.URL.Path, n)
	})
	if _, gaps := reading(t, s, failing); !hasWhy(gaps, "more than 3 pages") || n != 2*fewPages {
		t.Errorf("%d pages, gaps %v", n, gaps)
	}
}

// Truncated, non-JSON, unexpected or huge answers are gaps, or yield no later queries.
func TestOddAnswers(t *testing.T) {
	for name, answer := range map[string]string{
		"cut off": `{"value": [{"id": "/x"`, "no JSON": "<html>sign in</html>", "a list": `[]`, "a number": `7`, "null": `null`, "of another shape": `{"value": {"id": 7}, "nextLink": 7, "managedBy": [], "location": {}}`,
		"huge": `{"value": "` + strings.Repeat("x", maxAnswer) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, answer) })
			answers, gaps := reading(t, s, failing)
			if len(answers)+len(gaps) == 0 || len(s.asked) > maxReads {
				t.Errorf("%d requests, %d answers, gaps %v", len(s.asked), len(answers), gaps)
			}
		})
	}
}

// A requested subscription without the nodes is reported, and nothing of the nodes is read.
func TestWrongSubscription(t *testing.T) {
	s := serve(t, cluster)
	for _, env := range []bool{false, true} {
		o := Options{Endpoint: s.URL, Subscription: "other"}
		if env {
			o.Subscription = ""
			t.Setenv("AZURE_SUBSCRIPTION_ID", "other")
		}
		r, err := NewReader(o)
		if err != nil {
			t.Fatal(err)
		}
		gaps := readWith(r, failing)
		if len(gaps) != 1 || !strings.Contains(gaps[0].What, "subscription 0") || !strings.Contains(gaps[0].Why, "other") || !strings.Contains(string(gaps[0].How), "--azure-subscription") || len(s.asked) > 0 {
			t.Errorf("%d requests, gaps %v", len(s.asked), gaps)
		}
	}
	// With the right subscription, nodes without provider IDs are found by the name of their resource group.
	r, err := NewReader(Options{Endpoint: s.URL, Subscription: "0"})
	if err != nil {
		t.Fatal(err)
	}
	if gaps := readWith(r, cloud.Scope{Labels: []map[string]string{{"kubernetes.azure.com/cluster": "mc_rg"}, {"kubernetes.azure.com/cluster": "../x"}}}); len(gaps) > 0 || len(s.asked) == 0 {
		t.Errorf("%d requests, gaps %v", len(s.asked), gaps)
	}
}
