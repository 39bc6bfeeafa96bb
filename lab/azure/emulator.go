package azure

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Emulator is a running emulator.
type Emulator struct {
	URL string

	mu         sync.Mutex
	server     *httptest.Server
	resources  map[string]map[string]any
	lists      map[string][]map[string]any
	activities []map[string]any
	faults     []*Fault
	pageSize   int
	polls      int
	operations map[string]*operation
	held       bool // operations make no progress
	outcomes   []*Outcome
	machines   func(Machine)
	audit      []Request
	levels     map[string]*level // of the buckets of the requests
	// policyStates are the policy states of the resources.
	policyStates []map[string]any
}

// Request is a received request.
type Request struct {
	Method, Path, Query string
	At                  time.Time
}

// Start runs an emulator with that state until Close.
func Start(s *State) *Emulator {
	e := &Emulator{
		resources: map[string]map[string]any{}, lists: map[string][]map[string]any{}, activities: s.Activities, faults: s.Faults,
		pageSize: s.PageSize, polls: s.Polls, operations: map[string]*operation{}, levels: map[string]*level{}, policyStates: s.PolicyStates,
	}
	if e.pageSize == 0 {
		e.pageSize = 50
	}
	for id, r := range s.Resources {
		if r == nil {
			continue
		}
		r = copyOf(r)
		r["id"] = id
		if r["name"] == nil {
			r["name"] = id[strings.LastIndexByte(id, '/')+1:]
		}
		e.resources[key(id)] = r
	}
	for path, list := range s.Lists {
		e.lists[key(path)] = list
	}
	e.outcomes = s.Outcomes
	e.stamp()
	e.server = httptest.NewServer(e)
	e.URL = e.server.URL
	return e
}

// Close stops the emulator.
func (e *Emulator) Close() { e.server.Close() }

// Audit lists every request so far.
func (e *Emulator) Audit() []Request {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Request(nil), e.audit...)
}

// Resource returns the current state of a resource, or nil.
func (e *Emulator) Resource(id string) map[string]any {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.resources[key(id)]; r != nil {
		return copyOf(r)
	}
	return nil
}

// ServeHTTP answers like the API.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	e.audit = append(e.audit, Request{r.Method, r.URL.Path, r.URL.RawQuery, time.Now()})
	f := e.fault(r)
	e.mu.Unlock()
	if f != nil && f.Delay > 0 {
		time.Sleep(f.Delay)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if r.Method == http.MethodGet {
		e.goOn(key(r.URL.Path))
	}
	switch {
	case f != nil && f.Status != 0:
		if f.RetryAfter != "" {
			w.Header().Set("Retry-After", f.RetryAfter)
		}
		refuse(w, f.Status, f.Code, f.Message)
	case r.URL.Query().Get("api-version") == "":
		refuse(w, http.StatusBadRequest, "MissingApiVersionParameter", "The api-version query parameter (?api-version=) is required for all requests.")
	case e.throttle(w, r, time.Now()):
	case strings.Contains(key(r.URL.Path), "/emulator/operations/"):
		e.poll(w, key(r.URL.Path))
	case r.Method == http.MethodGet && e.resources[key(r.URL.Path)] != nil:
		e.get(w, r, f)
	default:
		e.other(w, r, f)
	}
}

// other answers a request that is not for a resource that exists.
func (e *Emulator) other(w http.ResponseWriter, r *http.Request, f *Fault) {
	items, one, ok := e.special(r)
	switch {
	case ok && one != nil:
		answer(w, http.StatusOK, one, f)
	case ok:
		e.page(w, r, items, false, f)
	case r.Method == http.MethodGet:
		e.get(w, r, f)
	default:
		e.change(w, r)
	}
}

// fault returns the first fault that matches the request and is not used up.
func (e *Emulator) fault(r *http.Request) *Fault {
	for _, f := range e.faults {
		if strings.Contains(key(r.URL.Path), strings.ToLower(f.Match)) && (f.Times == 0 || f.used < f.Times) {
			f.used++
			return f
		}
	}
	return nil
}

func (e *Emulator) get(w http.ResponseWriter, r *http.Request, f *Fault) {
	path := key(r.URL.Path)
	expand := strings.EqualFold(r.URL.Query().Get("$expand"), "instanceView")
	if found := e.resources[path]; found != nil {
		answer(w, http.StatusOK, shown(found, expand), f)
		return
	}
	if of, ok := strings.CutSuffix(path, "/instanceview"); ok && e.resources[of] != nil {
		answer(w, http.StatusOK, e.view(of), f)
		return
	}
	var items []map[string]any
	switch scope, isLocks := strings.CutSuffix(path, "/providers/microsoft.authorization/locks"); {
	case isLocks:
		items = e.locks(scope)
	case strings.HasSuffix(path, "/eventtypes/management/values"):
		items = e.log(r.URL.Query().Get("$filter"))
	case e.lists[path] != nil:
		items = e.lists[path]
	default:
		if items = e.children(path); items == nil && !strings.HasSuffix(path, "s") {
			refuse(w, http.StatusNotFound, "ResourceNotFound", "The Resource '"+r.URL.Path+"' was not found.")
			return
		}
	}
	e.page(w, r, items, expand, f)
}

// page returns a part of a list.
func (e *Emulator) page(w http.ResponseWriter, r *http.Request, items []map[string]any, expand bool, f *Fault) {
	from, _ := strconv.Atoi(r.URL.Query().Get("$skiptoken"))
	from = min(max(from, 0), len(items))
	to := min(from+e.pageSize, len(items))
	out := map[string]any{}
	value := []any{}
	for _, item := range items[from:to] {
		value = append(value, shown(item, expand))
	}
	out["value"] = value
	next := *r.URL
	q := next.Query()
	switch {
	case f != nil && f.Circle:
		out["nextLink"] = e.URL + r.URL.String()
	case to < len(items):
		q.Set("$skiptoken", strconv.Itoa(to))
		next.RawQuery = q.Encode()
		out["nextLink"] = e.URL + next.String()
	}
	answer(w, http.StatusOK, out, f)
}

// shown returns a resource as a client sees it: the instance view is included only on request.
func shown(r map[string]any, expand bool) map[string]any {
	out := copyOf(r)
	if p, ok := out["properties"].(map[string]any); ok && !expand {
		delete(p, "instanceView")
	}
	return out
}

// log filters the activity log by time and resource group, as the API does.
func (e *Emulator) log(filter string) []map[string]any {
	var out []map[string]any
	for _, a := range e.activities {
		at, _ := a["eventTimestamp"].(string)
		group, _ := a["resourceGroupName"].(string)
		if id, _ := a["resourceId"].(string); group == "" {
			if parts := strings.Split(id, "/"); len(parts) > 4 {
				group = parts[4]
			}
		}
		if wanted := between(filter, "resourceGroupName eq '"); wanted != "" && !strings.EqualFold(wanted, group) {
			continue
		}
		if mark := between(filter, "correlationId eq '"); mark != "" && mark != a["correlationId"] {
			continue
		}
		if from := between(filter, "eventTimestamp ge '"); from != "" && at < from {
			continue
		}
		out = append(out, a)
	}
	return out
}

func between(s, start string) string {
	_, rest, found := strings.Cut(s, start)
	if !found {
		return ""
	}
	word, _, _ := strings.Cut(rest, "'")
	return word
}

func answer(w http.ResponseWriter, status int, body any, f *Fault) {
	raw, err := json.Marshal(body)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "EmulatorError", err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if f != nil && f.CutAt > 0 && f.CutAt < len(raw) {
		w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
		raw = raw[:f.CutAt]
	}
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error": {"code": %q, "message": %q}}`, code, message)
}
