package azure

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
)

// TestReadBudget counts what a diagnosis asks, for clusters small and big, well and sick: under 30 requests, and a bounded
// number of 5,000 nodes. make bench prints it.
func TestReadBudget(t *testing.T) {
	for _, c := range []struct {
		pools, nodes, sick int // nodes of each pool
		failed             bool
		most               int
	}{
		{1, 100, 0, false, 29}, {1, 100, 5, true, 29}, {5, 20, 0, false, 29}, {5, 1000, 0, false, 29}, {5, 1000, 50, false, 40}, {5, 1000, 50, true, 50},
	} {
		about := cloud.Scope{Whole: true}
		for p := range c.pools {
			for i := range c.nodes {
				id := fmt.Sprintf("azure:///subscriptions/0/resourceGroups/mc_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-p%d-1-vmss/virtualMachines/%d", p, i)
				about.ProviderIDs = append(about.ProviderIDs, id)
				if i%(c.nodes/10) == 0 && len(about.Sick) < c.sick {
					about.Sick = append(about.Sick, id)
				}
			}
		}
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch path := r.URL.Path; {
			case strings.HasSuffix(path, "-vmss/virtualMachines"): // 50 to a page
				from, _ := strconv.Atoi(r.URL.Query().Get("$skiptoken"))
				next := ""
				if from+50 < c.nodes {
					next = fmt.Sprintf(`, "nextLink": "http://%s%s?api-version=1&$skiptoken=%d"`, r.Host, path, from+50)
				}
				fmt.Fprintf(w, `{"value": []%s}`, next)
			case strings.HasSuffix(path, "/agentPools"):
				var pools []string
				for p := range c.pools {
					pools = append(pools, fmt.Sprintf(`{"id": "%s/agentPools/p%d", "name": "p%d", "properties": {"provisioningState": "%s", "vmSize": "s", "vnetSubnetID": %q}}`,
						managedBy, p, p, map[bool]string{true: "Failed", false: "Succeeded"}[c.failed && p == 0], subnetID))
				}
				fmt.Fprintf(w, `{"value": [%s]}`, strings.Join(pools, ","))
			case strings.HasSuffix(path, "/managedClusters/aks"):
				fmt.Fprint(w, `{"identity": {"principalId": "me"}, "properties": {"provisioningState": "Succeeded"}}`)
			default:
				cluster(w, r)
			}
		})
		_, gaps := reading(t, s, about)
		t.Logf("%d pools of %d nodes, %d sick, failed %v: %d requests, %d gaps", c.pools, c.nodes, len(about.Sick), c.failed, len(s.asked), len(gaps))
		if len(s.asked) > c.most {
			t.Errorf("more than %d", c.most)
		}
	}
}
