package azure_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// An empty bucket rejects requests with the error code of its service and a Retry-After.
func TestBuckets(t *testing.T) {
	e := azure.Start(state())
	defer e.Close()
	cluster := e.URL + group + "/providers/Microsoft.ContainerService/managedClusters/aks?api-version=1"
	refused := 0
	for range 70 {
		if status, header, body := send(t, "GET", cluster); status == 429 {
			refused++
			if header.Get("Retry-After") == "" || body["error"].(map[string]any)["code"] != "Throttled" {
				t.Fatalf("refused with %v %v", header, body)
			}
		}
	}
	if refused < 5 || refused > 10 || e.Spent()["aks cluster reads"] != 70 {
		t.Errorf("%d of 70 were refused, spent %v", refused, e.Spent())
	}
}
