package azure

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
)

const (
	aksCluster = "/subscriptions/0/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/prod"
	aksPool    = aksCluster + "/agentPools/np1"
	aksNewPool = aksCluster + "/agentPools/np2"
	aksVM      = "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/np1-vmss/virtualMachines/3"
	poolBody   = `{"id":"` + aksPool + `","name":"np1","eTag":"v7","properties":{"provisioningState":"Succeeded","count":3,"maxCount":4,"minCount":1,"nodeTaints":["a=b:NoSchedule"],"unknownField":12345678901234567890}}`
)

// write is a request that changed something.
type write struct {
	method, path string
	head         http.Header
	body         string
}

// operated begins a change against a service that answers reads from a table and writes by a function, and returns the writes.
func operated(t *testing.T, reads map[string]string, change cloud.Change, answer func(w http.ResponseWriter)) (op cloud.Operation, writes []write, err error) {
	t.Helper()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			if body, ok := reads[r.URL.Path]; ok {
				fmt.Fprint(w, body)
			} else {
				missing(w)
			}
			return
		}
		body, _ := io.ReadAll(r.Body)
		writes = append(writes, write{r.Method, r.URL.Path, r.Header, string(body)})
		answer(w)
	})
	o, err := NewOperator(Options{Endpoint: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	op, err = o.Begin(t.Context(), change)
	return op, writes, err
}

func accepted(w http.ResponseWriter) { w.WriteHeader(http.StatusAccepted) }

// A change sends one request, with the version of the target that was read last and the mark of the change.
func TestBegin(t *testing.T) {
	aborted := strings.Replace(poolBody, "Succeeded", "Upgrading", 1)
	for name, test := range map[string]struct {
		change       cloud.Change
		pool         string
		method, path string
		match        string // If-Match
		holds        []string
		omits        string
	}{
		"scale":     {cloud.Change{Verb: cloud.ScalePool, Target: aksPool, Count: 5, Version: "v7"}, poolBody, "PUT", aksPool, "v7", []string{`"count":5`, "12345678901234567890", "eTag"}, ""},
		"reconcile": {cloud.Change{Verb: cloud.Reconcile, Target: aksPool}, poolBody, "PUT", aksPool, "v7", []string{poolBody}, ""},
		"abort":     {cloud.Change{Verb: cloud.Abort, Target: aksPool}, aborted, "POST", aksPool + "/abort", "", nil, ""},
		"delete":    {cloud.Change{Verb: cloud.DeletePool, Target: aksPool}, poolBody, "DELETE", aksPool, "v7", nil, ""},
		"add": {cloud.Change{Verb: cloud.AddPool, Target: aksNewPool, Like: aksPool, Count: 6, Own: cloud.Own{Size: "Standard_D8", Labels: "tier=web", Taints: "a=c:NoSchedule"}}, poolBody, "PUT", aksNewPool, "",
			[]string{`"count":6`, `"maxCount":6`, `"vmSize":"Standard_D8"`, `"tier":"web"`, `["a=c:NoSchedule"]`}, "np1"},
		"a machine of the pool": {cloud.Change{Verb: cloud.DeleteMachine, Target: aksPool, Machine: "np1-vmss000003"}, poolBody, "POST", aksPool + "/deleteMachines", "", []string{"np1-vmss000003"}, ""},
		"restart":               {cloud.Change{Verb: cloud.Restart, Target: aksVM}, poolBody, "POST", aksVM + "/restart", "", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			test.change.Mark = "mark-1"
			reads := map[string]string{aksPool: test.pool, aksVM: `{"properties":{"provisioningState":"Succeeded"}}`}
			op, writes, err := operated(t, reads, test.change, accepted)
			if err != nil || len(writes) != 1 {
				t.Fatalf("%d requests, %v", len(writes), err)
			}
			w := writes[0]
			if w.method != test.method || w.path != test.path || w.head.Get("If-Match") != test.match || w.head.Get("x-ms-correlation-request-id") != "mark-1" {
				t.Errorf("it sends %s %s with %v", w.method, w.path, w.head)
			}
			if fresh := w.head.Get("If-None-Match") == "*"; fresh != (test.change.Verb == cloud.AddPool) {
				t.Errorf("If-None-Match is %q", w.head.Get("If-None-Match"))
			}
			for _, part := range test.holds {
				if !strings.Contains(w.body, part) {
					t.Errorf("%s is not in the body: %s", part, w.body)
				}
			}
			if test.omits != "" && strings.Contains(w.body, test.omits) {
				t.Errorf("the body has %s: %s", test.omits, w.body)
			}
			if op.Target != test.change.Target || op.Gone != (test.change.Verb == cloud.DeletePool) {
				t.Errorf("the operation is %+v", op)
			}
		})
	}
}

// A target that is not as it was inspected is not changed.
func TestBeginRefuses(t *testing.T) {
	busy := strings.Replace(poolBody, "Succeeded", "Upgrading", 1)
	vm := map[string]string{aksVM: `{"properties":{"provisioningState":"Succeeded","timeCreated":"2026-03-01T10:00:00Z"}}`}
	for name, test := range map[string]struct {
		reads  map[string]string
		change cloud.Change
		want   cloud.Reason
	}{
		"an operation runs":        {map[string]string{aksPool: busy}, cloud.Change{Verb: cloud.ScalePool, Target: aksPool}, cloud.Busy},
		"another version":          {map[string]string{aksPool: poolBody}, cloud.Change{Verb: cloud.ScalePool, Target: aksPool, Version: "v6"}, cloud.Changed},
		"nothing to abort":         {map[string]string{aksPool: poolBody}, cloud.Change{Verb: cloud.Abort, Target: aksPool}, cloud.Changed},
		"the new pool exists":      {map[string]string{aksPool: poolBody, aksNewPool: poolBody}, cloud.Change{Verb: cloud.AddPool, Target: aksNewPool, Like: aksPool}, cloud.Changed},
		"the target does not":      {nil, cloud.Change{Verb: cloud.DeletePool, Target: aksPool}, cloud.Missing},
		"the machine is another":   {vm, cloud.Change{Verb: cloud.Restart, Target: aksVM, Version: "Succeeded 2026-01-01T00:00:00Z"}, cloud.Changed},
		"the pool to copy is gone": {nil, cloud.Change{Verb: cloud.AddPool, Target: aksNewPool, Like: aksPool}, cloud.Missing},
	} {
		_, writes, err := operated(t, test.reads, test.change, accepted)
		var refusal *cloud.Refusal
		if len(writes) != 0 || !errors.As(err, &refusal) || refusal.Reason != test.want {
			t.Errorf("%s: %d requests, %v; want %s", name, len(writes), err, test.want)
		}
	}
	for name, change := range map[string]cloud.Change{
		"no resource":         {Verb: cloud.Reconcile, Target: "/subscriptions/0"},
		"a machine to scale":  {Verb: cloud.ScalePool, Target: aksVM},
		"a pool to restart":   {Verb: cloud.Restart, Target: aksPool},
		"two machines":        {Verb: cloud.DeleteMachine, Target: aksPool, Machine: "a,b"},
		"a machine to repair": {Verb: cloud.Reconcile, Target: aksVM},
	} {
		if _, writes, err := operated(t, nil, change, accepted); err == nil || len(writes) != 0 {
			t.Errorf("%s: %d requests, %v", name, len(writes), err)
		}
	}
}

// What the service answers to a change decides whether it may be tried again.
func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		code   string
		want   cloud.Reason
	}{
		"throttled": {http.StatusTooManyRequests, "", cloud.Throttled}, "changed": {http.StatusPreconditionFailed, "", cloud.Changed},
		"locked": {http.StatusConflict, "ScopeLocked", cloud.Forbidden}, "a policy": {http.StatusBadRequest, "RequestDisallowedByPolicy", cloud.Forbidden},
		"busy": {http.StatusConflict, "AnotherOperationInProgress", cloud.Busy}, "gone": {http.StatusNotFound, "", cloud.Missing},
		"broken": {http.StatusInternalServerError, "", cloud.Unanswered}, "anything else": {http.StatusBadRequest, "QuotaExceeded", cloud.Invalid},
	} {
		_, writes, err := operated(t, map[string]string{aksPool: poolBody}, cloud.Change{Verb: cloud.ScalePool, Target: aksPool}, func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(test.status)
			fmt.Fprintf(w, `{"error":{"code":"Outer","message":"outer","details":[{"code":%q,"message":"inner"}]}}`, test.code)
		})
		var refusal *cloud.Refusal
		if !errors.As(err, &refusal) || refusal.Reason != test.want || refusal.After != 7*time.Second {
			t.Errorf("%s: %+v, want %s after 7s", name, err, test.want)
		}
		if len(writes) != 1 {
			t.Errorf("%s: %d requests: a change is never repeated", name, len(writes))
		}
	}
}

// Addresses of an operation are followed only on the host that has the login.
func TestProgress(t *testing.T) {
	answers := map[string]func(w http.ResponseWriter){
		"/status": func(w http.ResponseWriter) { fmt.Fprint(w, `{"status":"InProgress","percentComplete":40}`) },
		"/failed": func(w http.ResponseWriter) {
			fmt.Fprint(w, `{"status":"Failed","error":{"code":"Quota","message":"none left"}}`)
		},
		"/waiting": func(w http.ResponseWriter) { w.Header().Set("Retry-After", "3"); accepted(w) },
		"/done":    func(w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) },
		aksPool:    func(w http.ResponseWriter) { fmt.Fprint(w, poolBody) },
		aksCluster: func(w http.ResponseWriter) {
			fmt.Fprint(w, `{"properties":{"provisioningState":"Failed","status":{"provisioningError":{"code":"Subnet","message":"full"}}}}`)
		},
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if answer := answers[r.URL.Path]; answer != nil {
			answer(w)
			return
		}
		missing(w)
	})
	o, err := NewOperator(Options{Endpoint: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		op   cloud.Operation
		want cloud.Progress
	}{
		"running":                 {cloud.Operation{Status: s.URL + "/status"}, cloud.Progress{State: cloud.Running, Percent: 40}},
		"failed":                  {cloud.Operation{Status: s.URL + "/failed"}, cloud.Progress{State: cloud.Failed, Code: "Quota", Message: "none left"}},
		"a result that waits":     {cloud.Operation{Location: s.URL + "/waiting"}, cloud.Progress{State: cloud.Running, Wait: 3 * time.Second}},
		"a result":                {cloud.Operation{Location: s.URL + "/done"}, cloud.Progress{State: cloud.Succeeded}},
		"a result that failed":    {cloud.Operation{Location: s.URL + "/nowhere"}, cloud.Progress{State: cloud.Failed, Code: "ResourceNotFound", Message: "not here"}},
		"a deleted status":        {cloud.Operation{Status: s.URL + "/nowhere", Target: aksPool}, cloud.Progress{State: cloud.Succeeded}},
		"the target":              {cloud.Operation{Target: aksCluster}, cloud.Progress{State: cloud.Failed, Code: "Subnet", Message: "full"}},
		"a deleted target":        {cloud.Operation{Target: aksNewPool, Gone: true}, cloud.Progress{State: cloud.Succeeded}},
		"a result in the history": {cloud.Operation{Status: s.URL + "/status", Location: s.URL + "/done"}, cloud.Progress{State: cloud.Running, Percent: 40}},
	} {
		if got, err := o.Progress(t.Context(), test.op); err != nil || got != test.want {
			got, _ := json.Marshal(got)
			t.Errorf("%s: %s, %v; want %+v", name, got, err, test.want)
		}
	}
	if _, err := o.Progress(t.Context(), cloud.Operation{Status: "https://example.com/status"}); err == nil {
		t.Error("an address on another host was queried")
	}
	if _, err := o.Progress(t.Context(), cloud.Operation{Target: aksNewPool}); err == nil {
		t.Error("a target that does not exist has a state")
	}
}
