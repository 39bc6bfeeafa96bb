package azure

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Outcome is the result of a change whose path contains Match, if the change does not succeed.
type Outcome struct {
	Match   string `json:"match"`
	Status  int    `json:"status"` // rejected at once with this status; 0: accepted
	Code    string `json:"code"`   // of the rejection, or of the failure at the end
	Message string `json:"message"`
	// RetryAfter is the header of a rejection.
	RetryAfter string `json:"retryAfter"`
	Never      bool   `json:"never"` // never completes
	Lost       string `json:"lost"`  // connection breaks: "request" before the change starts, "answer" after
	Times      int    `json:"times"` // 0: always
	used       int
}

// operation is a change in progress.
type operation struct {
	target string
	left   int // polls until it completes; negative: never
	end    func() (code, message string)
	done   map[string]any // its result
	mark   string
	log    map[string]any // its first entry in the activity log
}

// change starts an operation: a PUT writes a resource, a POST acts on it, a DELETE deletes it. It is rejected if the
// API would reject it, and fails if a lock covers the resource.
func (e *Emulator) change(w http.ResponseWriter, r *http.Request) {
	id := key(r.URL.Path)
	action := ""
	if r.Method == http.MethodPost {
		i := strings.LastIndexByte(id, '/')
		id, action = id[:i], id[i+1:]
	}
	how := e.outcome(id + "/" + action)
	if how != nil && how.rejects(w) {
		return
	}
	body, err := content(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, "InvalidRequestContent", err.Error())
		return
	}
	found := e.resources[id]
	if found == nil && r.Method != http.MethodPut {
		refuse(w, http.StatusNotFound, "ResourceNotFound", "The Resource '"+r.URL.Path+"' was not found.")
		return
	}
	if found != nil && e.conflicts(w, r, id, action) {
		return
	}
	status := http.StatusOK
	if found == nil {
		status, found = http.StatusCreated, map[string]any{"id": r.URL.Path, "name": r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]}
		e.resources[id] = found
	}
	c := &changing{e: e, id: id, method: r.Method, action: action, found: found, body: body, isNew: status == http.StatusCreated}
	if !c.begin(w) {
		return
	}
	name := e.operate(c, r, how)
	if how != nil && how.Lost == "answer" {
		panic(http.ErrAbortHandler)
	}
	e.accept(w, c, name, status)
}

// rejects drops the request or refuses it, if the outcome is that.
func (o *Outcome) rejects(w http.ResponseWriter) bool {
	if o.Lost == "request" {
		panic(http.ErrAbortHandler)
	}
	if o.Status == 0 {
		return false
	}
	if o.RetryAfter != "" {
		w.Header().Set("Retry-After", o.RetryAfter)
	}
	refuse(w, o.Status, o.Code, o.Message)
	return true
}

// conflicts rejects a change of an existing resource that has another tag than expected, or an operation in progress.
func (e *Emulator) conflicts(w http.ResponseWriter, r *http.Request, id, action string) bool {
	found := e.resources[id]
	tag := r.Header.Get("If-Match")
	changed := tag != "" && tag != fmt.Sprint(found["eTag"])
	switch {
	case changed, r.Header.Get("If-None-Match") == "*":
		refuse(w, http.StatusPreconditionFailed, "PreconditionFailed", "The eTag does not match.")
	case action == "abort" && !running(found):
		refuse(w, http.StatusConflict, "OperationNotAllowed", "Cancel operation is not allowed: there is no operation in progress.")
	case action != "abort" && e.busy(id):
		refuse(w, http.StatusConflict, "OperationNotAllowed", "Another operation is in progress on this resource.")
	default:
		return false
	}
	return true
}

// accept answers a change that began, with the address of its operation.
func (e *Emulator) accept(w http.ResponseWriter, c *changing, operation string, status int) {
	if c.action == "restart" || c.action == "deletemachines" { // some services return only the location of the result
		w.Header().Set("Location", e.URL+strings.Replace(operation, "/operations/", "/operations/results/", 1)+"?api-version=1")
	} else {
		w.Header().Set("Azure-AsyncOperation", e.URL+operation+"?api-version=1")
	}
	if c.method == http.MethodPut {
		answer(w, status, c.found, nil)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// operate starts the operation of a change and logs it.
func (e *Emulator) operate(c *changing, r *http.Request, how *Outcome) string {
	path := r.URL.Path
	verb := map[string]string{http.MethodPut: "write", http.MethodDelete: "delete"}[r.Method]
	if verb == "" {
		verb = c.action + "/action"
	}
	name := fmt.Sprintf("/emulator/operations/%d", len(e.operations)+1)
	left := e.polls
	if how != nil && how.Never {
		left = -1
	}
	o := &operation{target: c.target(), left: left, mark: r.Header.Get("x-ms-correlation-request-id")}
	o.log = map[string]any{
		"eventTimestamp": time.Now().UTC().Format(time.RFC3339Nano), "operationName": map[string]any{"value": verb}, "operationId": name,
		"correlationId": o.mark, "resourceId": path, "caller": "emulator", "status": map[string]any{"value": "Started"},
	}
	e.activities = append(e.activities, o.log)
	o.end = func() (code, message string) {
		if lock := e.lockOver(c.id); lock != nil && c.action != "abort" {
			c.fail("ScopeLocked")
			return "ScopeLocked", fmt.Sprintf("The scope '%s' cannot perform write operation because following scope(s) are locked: '%s'.", path, lock["id"])
		}
		if how != nil && how.Code != "" {
			c.fail(how.Code)
			return how.Code, how.Message
		}
		c.end()
		return "", ""
	}
	e.operations[name] = o
	return name
}

// outcome returns the first outcome that matches the path and is not used up.
func (e *Emulator) outcome(path string) *Outcome {
	for _, o := range e.outcomes {
		if strings.Contains(path, strings.ToLower(o.Match)) && (o.Times == 0 || o.used < o.Times) {
			o.used++
			return o
		}
	}
	return nil
}

func content(r *http.Request) (map[string]any, error) {
	var body map[string]any
	raw, err := io.ReadAll(io.LimitReader(r.Body, 4<<20))
	if err == nil && len(raw) > 0 {
		err = json.Unmarshal(raw, &body)
	}
	return body, err
}

// running reports whether an operation on the resource is in progress.
func running(r map[string]any) bool {
	switch properties(r)["provisioningState"] {
	case "Succeeded", "Failed", "Canceled", nil:
		return false
	}
	return true
}

// busy reports whether a change of the resource, or of its cluster or pool, is in progress.
func (e *Emulator) busy(id string) bool {
	for other, r := range e.resources {
		if running(r) && (other == id || strings.HasPrefix(id, other+"/agentpools/") || strings.HasPrefix(other, id+"/agentpools/")) {
			return true
		}
	}
	return false
}

// poll returns the state of an operation. A failed operation returns 200, as the API does; a result is reported by the
// status code.
func (e *Emulator) poll(w http.ResponseWriter, name string) {
	result := strings.Contains(name, "/results/")
	o := e.operations[strings.Replace(name, "/results/", "/", 1)]
	if o == nil {
		refuse(w, http.StatusNotFound, "OperationNotFound", "no such operation")
		return
	}
	if o.done == nil && (e.held || o.left != 0) {
		if !e.held {
			o.left = max(o.left-1, -1)
		}
		if result {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		answer(w, http.StatusOK, map[string]any{"status": "InProgress"}, nil)
		return
	}
	o.finish(e)
	failure, failed := o.done["error"].(map[string]any)
	switch {
	case result && failed:
		answer(w, http.StatusConflict, map[string]any{"error": failure}, nil)
	case result:
		w.WriteHeader(http.StatusOK)
	default:
		answer(w, http.StatusOK, o.done, nil)
	}
}

// Hold stops the progress of operations until release is called.
func (e *Emulator) Hold() (release func()) {
	hold := func(held bool) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.held = held
	}
	hold(true)
	return func() { hold(false) }
}

// goOn advances operations when a client reads their target.
func (e *Emulator) goOn(path string) {
	for _, o := range e.operations {
		if e.held || o.target != path || o.done != nil {
			continue
		}
		if o.left == 0 {
			o.finish(e)
		}
		o.left = max(o.left-1, -1)
	}
}

func (o *operation) finish(e *Emulator) {
	if o.done != nil {
		return
	}
	o.done = map[string]any{"status": "Succeeded"}
	if code, message := o.end(); code != "" {
		o.done = map[string]any{"status": "Failed", "error": map[string]any{"code": "ResourceOperationFailure", "message": "The resource operation completed with terminal provisioning state 'Failed'.",
			"details": []any{map[string]any{"code": code, "message": message}}}}
	}
	last := copyOf(o.log)
	last["eventTimestamp"] = time.Now().UTC().Format(time.RFC3339Nano)
	last["status"] = map[string]any{"value": o.done["status"]}
	e.activities = append(e.activities, last)
}
