package azure_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/lab/azure"
)

const (
	group = "/subscriptions/0/resourceGroups/rg"
	pool  = group + "/providers/Microsoft.ContainerService/managedClusters/aks/agentPools/np1"
)

func state() *azure.State {
	return &azure.State{Polls: 2, PageSize: 1, Resources: map[string]map[string]any{
		pool:                                   {"eTag": "a", "properties": map[string]any{"provisioningState": "Failed"}},
		strings.Replace(pool, "np1", "np2", 1): {"properties": map[string]any{"provisioningState": "Succeeded"}},
	}}
}

func send(t *testing.T, method, url string, head ...string) (status int, header http.Header, body map[string]any) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(`{"properties": {}}`))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(head); i += 2 {
		req.Header.Set(head[i], head[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body)
	_ = json.Unmarshal(raw, &body)
	return resp.StatusCode, resp.Header, body
}

// A change takes its polls, rejects other changes meanwhile, and ends in the state that the API shows.
func TestOperation(t *testing.T) {
	e := azure.Start(state())
	defer e.Close()
	if status, _, _ := send(t, "PUT", e.URL+pool+"?api-version=1", "If-Match", "b"); status != http.StatusPreconditionFailed {
		t.Errorf("a wrong eTag was answered with %d", status)
	}
	status, header, _ := send(t, "PUT", e.URL+pool+"?api-version=1", "If-Match", "a")
	if status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	if status, _, body := send(t, "POST", e.URL+pool+"/upgradeNodeImageVersion?api-version=1"); status != http.StatusConflict || body["error"].(map[string]any)["code"] != "OperationNotAllowed" {
		t.Errorf("a second change was answered with %d %v", status, body)
	}
	var states []any
	for range 4 {
		_, _, body := send(t, "GET", header.Get("Azure-AsyncOperation"))
		states = append(states, body["status"])
	}
	if states[1] != "InProgress" || states[2] != "Succeeded" || states[3] != "Succeeded" {
		t.Errorf("states %v", states)
	}
	if got := e.Resource(pool)["properties"].(map[string]any)["provisioningState"]; got != "Succeeded" {
		t.Errorf("the pool is %v", got)
	}
	if n := len(e.Audit()); n != 7 {
		t.Errorf("%d requests were noted", n)
	}
}

// If a lock covers the resource, the change fails. Polls return status 200 with the failure forever.
func TestOperationUnderLock(t *testing.T) {
	s := state()
	s.Polls = 0
	s.Resources[group+"/providers/Microsoft.Authorization/locks/keep"] = map[string]any{"properties": map[string]any{"level": "CanNotDelete"}}
	e := azure.Start(s)
	defer e.Close()
	_, header, _ := send(t, "PUT", e.URL+pool+"?api-version=1")
	for range 2 {
		status, _, body := send(t, "GET", header.Get("Azure-AsyncOperation"))
		failure, _ := body["error"].(map[string]any)
		inner, _ := failure["details"].([]any) // the code is nested, as in the API
		if len(inner) == 1 {
			failure, _ = inner[0].(map[string]any)
		}
		if status != http.StatusOK || body["status"] != "Failed" || failure["code"] != "ScopeLocked" {
			t.Errorf("answered with %d %v", status, body)
		}
	}
}

// Lists have pages, IDs are case-insensitive, API versions are required, and faults occur as often as configured.
func TestAnswers(t *testing.T) {
	s := state()
	s.Faults = []*azure.Fault{{Match: "agentPools/np2", Status: 429, Code: "TooManyRequests", RetryAfter: "7", Times: 1}}
	e := azure.Start(s)
	defer e.Close()
	_, _, page := send(t, "GET", e.URL+strings.ToUpper(strings.TrimSuffix(pool, "/np1"))+"?api-version=1")
	if list := page["value"].([]any); len(list) != 1 || page["nextLink"] == nil {
		t.Fatalf("page %v", page)
	}
	if _, _, page = send(t, "GET", page["nextLink"].(string)); len(page["value"].([]any)) != 1 || page["nextLink"] != nil {
		t.Errorf("second page %v", page)
	}
	if status, _, _ := send(t, "GET", e.URL+pool); status != http.StatusBadRequest {
		t.Errorf("without a version: %d", status)
	}
	other := e.URL + strings.Replace(pool, "np1", "np2", 1) + "?api-version=1"
	if status, header, _ := send(t, "GET", other); status != 429 || header.Get("Retry-After") != "7" {
		t.Errorf("throttled: %d %v", status, header)
	}
	if status, _, _ := send(t, "GET", other); status != http.StatusOK {
		t.Errorf("after the fault: %d", status)
	}
}
