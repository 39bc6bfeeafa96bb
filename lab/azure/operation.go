package azure

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// operation is a change under way.
type operation struct {
	left int // polls until it ends
	end  func() (code, message string)
	done map[string]any // how it ended
}

// change begins an operation: a PUT writes a resource, a POST acts on it, a DELETE takes it away. It is refused at once
// where the API refuses it, and ends badly where a lock lies over the resource.
func (e *Emulator) change(w http.ResponseWriter, r *http.Request) {
	id := key(r.URL.Path)
	action := ""
	if r.Method == http.MethodPost {
		i := strings.LastIndexByte(id, '/')
		id, action = id[:i], id[i+1:]
	}
	found := e.resources[id]
	if found == nil && r.Method != http.MethodPut {
		refuse(w, http.StatusNotFound, "ResourceNotFound", "The Resource '"+r.URL.Path+"' was not found.")
		return
	}
	var body map[string]any
	raw, err := io.ReadAll(io.LimitReader(r.Body, 4<<20))
	if err == nil && len(raw) > 0 {
		err = json.Unmarshal(raw, &body)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "InvalidRequestContent", err.Error())
		return
	}
	if tag := r.Header.Get("If-Match"); found != nil && tag != "" && tag != fmt.Sprint(found["eTag"]) {
		refuse(w, http.StatusPreconditionFailed, "PreconditionFailed", "The eTag does not match.")
		return
	}
	switch {
	case found == nil:
		found = body
		found["id"] = r.URL.Path
		e.resources[id] = found
	case running(found) && action != "abort":
		refuse(w, http.StatusConflict, "OperationNotAllowed", "Another operation is in progress on this resource.")
		return
	}
	p := properties(found)
	p["provisioningState"] = map[string]string{"abort": "Canceling"}[action]
	if p["provisioningState"] == "" {
		p["provisioningState"] = "Updating"
	}
	name := fmt.Sprintf("/emulator/operations/%d", len(e.operations)+1)
	e.operations[name] = &operation{left: e.polls, end: func() (code, message string) {
		if lock := e.lockOver(id); lock != nil {
			p["provisioningState"] = "Failed"
			return "ScopeLocked", fmt.Sprintf("The scope '%s' cannot perform write operation because following scope(s) are locked: '%s'.", r.URL.Path, lock["id"])
		}
		switch {
		case r.Method == http.MethodDelete:
			delete(e.resources, id)
		case action == "abort":
			p["provisioningState"] = "Canceled"
		default:
			p["provisioningState"] = "Succeeded"
			delete(p, "status")
			delete(p, "instanceView") // that of a machine that is well is not kept
		}
		return "", ""
	}}
	w.Header().Set("Azure-AsyncOperation", e.URL+name+"?api-version=1")
	if r.Method == http.MethodPut {
		answer(w, http.StatusCreated, found, nil)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// running tells whether an operation on the resource has not ended.
func running(r map[string]any) bool {
	switch properties(r)["provisioningState"] {
	case "Succeeded", "Failed", "Canceled", nil:
		return false
	}
	return true
}

// poll answers how far an operation is. One that failed is told with 200, as the API does.
func (e *Emulator) poll(w http.ResponseWriter, name string) {
	o := e.operations[name]
	if o == nil {
		refuse(w, http.StatusNotFound, "OperationNotFound", "no such operation")
		return
	}
	if o.left > 0 {
		o.left--
		answer(w, http.StatusOK, map[string]any{"status": "InProgress"}, nil)
		return
	}
	if o.done == nil {
		o.done = map[string]any{"status": "Succeeded"}
		if code, message := o.end(); code != "" {
			o.done = map[string]any{"status": "Failed", "error": map[string]any{"code": code, "message": message}}
		}
	}
	answer(w, http.StatusOK, o.done, nil)
}
