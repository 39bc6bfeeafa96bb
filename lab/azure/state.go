package azure

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// State is the initial state of the emulator.
type State struct {
	// Resources are the resources of the API by ID, in the format of the API. Lists are built from them.
	Resources map[string]map[string]any `json:"resources"`
	// Lists are responses that are not resources, by path: usages.
	Lists map[string][]map[string]any `json:"lists"`
	// PolicyStates are the policy states of the resources.
	PolicyStates []map[string]any `json:"policyStates"`
	// Activities are the entries of the activity log.
	Activities []map[string]any `json:"activities"`
	Faults     []*Fault         `json:"faults"`
	// Outcomes are the results of changes that do not succeed.
	Outcomes []*Outcome `json:"outcomes"`
	PageSize int        `json:"pageSize"` // items per page; 0: 50
	Polls    int        `json:"polls"`    // number of polls of an operation before it completes
}

// Fault is a wrong response to requests whose path contains Match.
type Fault struct {
	Match      string        `json:"match"`
	Status     int           `json:"status"`
	Code       string        `json:"code"`
	Message    string        `json:"message"`
	RetryAfter string        `json:"retryAfter"`
	CutAt      int           `json:"cutAt"`  // number of bytes after which the correct response breaks off
	Circle     bool          `json:"circle"` // the next page is this page
	Delay      time.Duration `json:"-"`
	Times      int           `json:"times"` // 0: always
	used       int
}

// key normalizes an ID for comparison: IDs are case-insensitive.
func key(path string) string { return strings.ToLower(strings.TrimSuffix(path, "/")) }

// copyOf returns a copy of a resource that its owner cannot change.
func copyOf(v map[string]any) map[string]any {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil // decoded from JSON or YAML
	}
	var out map[string]any
	_ = json.Unmarshal(raw, &out)
	return out
}

// children returns the resources of a type directly below a path.
func (e *Emulator) children(path string) []map[string]any {
	var out []map[string]any
	for _, id := range slices.Sorted(maps.Keys(e.resources)) {
		if rest, below := strings.CutPrefix(id, path+"/"); below && !strings.Contains(rest, "/") {
			out = append(out, e.resources[id])
		}
	}
	return out
}

// locks returns the locks of a scope and of everything in it.
func (e *Emulator) locks(scope string) []map[string]any {
	var out []map[string]any
	for _, id := range slices.Sorted(maps.Keys(e.resources)) {
		if strings.HasPrefix(id, scope+"/") && strings.Contains(id, "/providers/microsoft.authorization/locks/") {
			out = append(out, e.resources[id])
		}
	}
	return out
}

// lockOver returns a lock that forbids changes of the resource, or nil.
func (e *Emulator) lockOver(id string) map[string]any {
	for lock, r := range e.resources {
		if scope, _, found := strings.Cut(lock, "/providers/microsoft.authorization/locks/"); found && strings.HasPrefix(id, scope) {
			return r
		}
	}
	return nil
}

func properties(r map[string]any) map[string]any {
	p, _ := r["properties"].(map[string]any)
	if p == nil {
		p = map[string]any{}
		r["properties"] = p
	}
	return p
}
