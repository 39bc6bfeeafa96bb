package azure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

const node = "azure:///subscriptions/0/resourceGroups/mc_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-1-vmss/virtualMachines/3"

func TestParseMachine(t *testing.T) {
	for id, want := range map[string]machine{
		node: {subscription: "0", group: "mc_rg", set: "aks-np1-1-vmss", instance: "3"},
		"azure:///subscriptions/0/resourcegroups/MC_rg/providers/Microsoft.Compute/virtualMachines/aks-np1-1-vms2": {subscription: "0", group: "MC_rg", name: "aks-np1-1-vms2"},
	} {
		if got, ok := parseMachine(id); !ok || got != want {
			t.Errorf("%s is %+v, %v", id, got, ok)
		}
	}
	for _, id := range []string{"", "aws:///eu-west-1a/i-0", "azure:///subscriptions/0/resourceGroups/../providers/Microsoft.Compute/virtualMachines/a",
		"azure:///subscriptions/0/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/a?b", "azure:///subscriptions/0"} {
		if m, ok := parseMachine(id); ok {
			t.Errorf("%q was taken for %+v", id, m)
		}
	}
}

// Only an endpoint on this machine may be unencrypted.
func TestEndpointIsLoopback(t *testing.T) {
	for endpoint, good := range map[string]bool{
		"http://127.0.0.1:1": true, "http://[::1]:1": true, "http://10.0.0.1": false, "http://localhost:1": false,
		"http://127.0.0.1.example.com": false, "http://management.azure.com": false, "ftp://127.0.0.1": false, "127.0.0.1": false,
	} {
		if _, err := NewReader(Options{Endpoint: endpoint}); (err == nil) != good {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
}

func TestNoCredentials(t *testing.T) {
	for _, name := range []string{"AZURE_TOKEN_CREDENTIALS", "AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET", "AZURE_FEDERATED_TOKEN_FILE", "AZURE_USERNAME", "AZURE_CLIENT_CERTIFICATE_PATH"} {
		t.Setenv(name, "")
	}
	t.Setenv("AZURE_CONFIG_DIR", t.TempDir())
	if _, err := NewReader(Options{}); !errors.Is(err, ErrNoCredentials) {
		t.Errorf("got %v", err)
	}
	if _, err := NewReader(Options{Cloud: "moon"}); err == nil || errors.Is(err, ErrNoCredentials) {
		t.Errorf("cloud moon: %v", err)
	}
}

// server answers by path, or 404, and counts requests.
type server struct {
	mu    sync.Mutex
	asked []string
	*httptest.Server
}

func serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func reading(t *testing.T, s *server, about cloud.Scope) (answers []string, gaps []evidence.Gap) {
	t.Helper()
	r, err := NewReader(Options{Endpoint: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	r.Read(context.Background(), about, func(d cloud.Document) { answers = append(answers, d.Name) }, func(g evidence.Gap) { gaps = append(gaps, g) })
	for _, a := range s.asked {
		if !strings.HasPrefix(a, "GET ") && !strings.HasSuffix(a, "/policyStates/latest/queryResults") { // read-only
			t.Errorf("a reader sent %s", a)
		}
	}
	return answers, gaps
}

func readWith(r *Reader, about cloud.Scope) (gaps []evidence.Gap) {
	r.Read(context.Background(), about, func(cloud.Document) {}, func(g evidence.Gap) { gaps = append(gaps, g) })
	return gaps
}

func missing(w http.ResponseWriter) {
	w.WriteHeader(http.StatusNotFound)
	fmt.Fprint(w, `{"error": {"code": "ResourceNotFound", "message": "not here"}}`)
}

// Reading continues after missing or forbidden resources, and records gaps.
func TestReadGoesOn(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/locks"):
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"error": {"code": "AuthorizationFailed", "message": "may not"}}`)
		case strings.HasSuffix(r.URL.Path, "/virtualMachineScaleSets"):
			fmt.Fprint(w, `{"value": [{"id": "/x"}]}`)
		default:
			missing(w)
		}
	})
	answers, gaps := reading(t, s, cloud.Scope{ProviderIDs: []string{node, "aws:///i-0"}})
	if !slices.Equal(answers, []string{"azure scale sets"}) {
		t.Errorf("answers %q", answers)
	}
	if !slices.ContainsFunc(gaps, func(g evidence.Gap) bool {
		return strings.Contains(g.Why, "AuthorizationFailed") && strings.Contains(string(g.How), "Reader")
	}) {
		t.Errorf("gaps %v", gaps)
	}
}

// Throttling ends the reading early with one gap.
func TestThrottledEnds(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error": {"code": "SubscriptionRequestsThrottled", "message": "slow down"}}`)
	})
	_, gaps := reading(t, s, cloud.Scope{ProviderIDs: []string{node}})
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "SubscriptionRequestsThrottled") || len(s.asked) > 3 {
		t.Errorf("%d requests, gaps %v", len(s.asked), gaps)
	}
}

// The number of pages is bounded. Loops and links to another host are not followed.
func TestPages(t *testing.T) {
	next := ""
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/virtualMachineScaleSets") {
			missing(w)
			return
		}
		fmt.Fprintf(w, `{"value": [], "nextLink": %q}`, next)
	})
	next = s.URL + "/virtualMachineScaleSets?api-version=1&$skiptoken=a"
	_, gaps := reading(t, s, cloud.Scope{ProviderIDs: []string{node}})
	if !hasWhy(gaps, "form a loop") {
		t.Errorf("gaps %v", gaps)
	}
	next = "http://127.0.0.2:9/virtualMachineScaleSets"
	if _, gaps = reading(t, s, cloud.Scope{ProviderIDs: []string{node}}); !hasWhy(gaps, "another host") {
		t.Errorf("gaps %v", gaps)
	}
}

// The number of requests is bounded for any nodes.
func TestBudget(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"value": []}`) })
	var ids []string
	for i := range 500 {
		ids = append(ids, fmt.Sprintf("azure:///subscriptions/0/resourceGroups/rg%d/providers/Microsoft.Compute/virtualMachineScaleSets/s%d/virtualMachines/%d", i%20, i, i))
	}
	_, gaps := reading(t, s, cloud.Scope{ProviderIDs: ids})
	if len(s.asked) > maxReads || len(gaps) == 0 {
		t.Errorf("%d requests, gaps %v", len(s.asked), gaps)
	}
}

func hasWhy(gaps []evidence.Gap, why string) bool {
	return slices.ContainsFunc(gaps, func(g evidence.Gap) bool { return strings.Contains(g.Why, why) })
}

// The view of a scale set does not contain its name, so the reader adds it.
func TestViewIsNamed(t *testing.T) {
	about := cloud.Scope{Whole: true}
	for i := range maxListed + 1 {
		about.ProviderIDs = append(about.ProviderIDs, fmt.Sprintf("azure:///subscriptions/0/resourceGroups/mc_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-1-vmss/virtualMachines/%d", i))
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/instanceView") {
			fmt.Fprint(w, `{"virtualMachine": {"statusesSummary": [{"code": "ProvisioningState/succeeded", "count": 201}]}, "statuses": []}`)
			return
		}
		missing(w)
	})
	r, err := NewReader(Options{Endpoint: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	var view struct {
		ID, Name       string
		VirtualMachine struct{ StatusesSummary []struct{ Count int } }
	}
	r.Read(context.Background(), about, func(d cloud.Document) {
		if strings.HasPrefix(d.Name, "azure scale set ") {
			if err := json.Unmarshal(d.JSON, &view); err != nil {
				t.Error(err)
			}
		}
	}, func(evidence.Gap) {})
	if !strings.HasSuffix(view.ID, "/virtualMachineScaleSets/aks-np1-1-vmss") || view.Name != "aks-np1-1-vmss" || len(view.VirtualMachine.StatusesSummary) != 1 || view.VirtualMachine.StatusesSummary[0].Count != 201 {
		t.Errorf("the view is %+v", view)
	}
}
