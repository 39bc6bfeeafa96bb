package azure

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// State is what the emulator begins with.
type State struct {
	// Resources are those of the API by their ids, in the API's shape; lists are made of them.
	Resources map[string]map[string]any `json:"resources"`
	// Lists are answers that are no resources, by their paths: usages.
	Lists map[string][]map[string]any `json:"lists"`
	// PolicyStates are what the policies say of resources.
	PolicyStates []map[string]any `json:"policyStates"`
	// Activities are the entries of the activity log.
	Activities []map[string]any `json:"activities"`
	Faults     []*Fault         `json:"faults"`
	// Outcomes are how changes end that do not end well.
	Outcomes []*Outcome `json:"outcomes"`
	PageSize int        `json:"pageSize"` // items of a page; 0: 50
	Polls    int        `json:"polls"`    // how often an operation is asked for before it ends
}

// Fault is a wrong answer to requests whose path holds Match.
type Fault struct {
	Match      string        `json:"match"`
	Status     int           `json:"status"`
	Code       string        `json:"code"`
	Message    string        `json:"message"`
	RetryAfter string        `json:"retryAfter"`
	CutAt      int           `json:"cutAt"`  // bytes after which the right answer breaks off
	Circle     bool          `json:"circle"` // the next page is this one
	Delay      time.Duration `json:"-"`
	Times      int           `json:"times"` // 0: always
	used       int
}

// key is how ids are compared: the API does not care for case.
func key(path string) string { return strings.ToLower(strings.TrimSuffix(path, "/")) }

// copyOf is a resource that its owner cannot change any more.
func copyOf(v map[string]any) map[string]any {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil // came out of JSON or YAML
	}
	var out map[string]any
	_ = json.Unmarshal(raw, &out)
	return out
}

// children are the resources right below a path: those of a type.
func (e *Emulator) children(path string) []map[string]any {
	var out []map[string]any
	for _, id := range slices.Sorted(maps.Keys(e.resources)) {
		if rest, below := strings.CutPrefix(id, path+"/"); below && !strings.Contains(rest, "/") {
			out = append(out, e.resources[id])
		}
	}
	return out
}

// locks are those of a scope and of everything in it.
func (e *Emulator) locks(scope string) []map[string]any {
	var out []map[string]any
	for _, id := range slices.Sorted(maps.Keys(e.resources)) {
		if strings.HasPrefix(id, scope+"/") && strings.Contains(id, "/providers/microsoft.authorization/locks/") {
			out = append(out, e.resources[id])
		}
	}
	return out
}

// lockOver is a lock that forbids to change the resource, or nil.
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
