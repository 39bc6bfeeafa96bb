package capi

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// object is one of the API server, as a tree.
type object struct {
	kind, name string
	tree       map[string]any
}

func objectOf(tree map[string]any) *object {
	o := &object{tree: tree}
	o.kind, o.name = wording.Cut(o.text("kind"), maxName), wording.Cut(o.text("metadata", "name"), maxName)
	return o
}

// at is what stands at the path; nil: nothing.
func (o *object) at(path ...string) any {
	var v any = o.tree
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

func (o *object) text(path ...string) string {
	s, _ := o.at(path...).(string)
	return s
}

// time is a time of the object's metadata; zero: none.
func (o *object) time(name string) time.Time {
	at, err := time.Parse(time.RFC3339, o.text("metadata", name))
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

func (o *object) count(path ...string) evidence.CloudCount {
	var n int
	if !o.into(&n, path...) || n < 0 {
		return evidence.CloudCount{}
	}
	return evidence.CountOf(n)
}

// into reads what stands at the path, and reports whether it has the form of the value.
func (o *object) into(value any, path ...string) bool {
	v := o.at(path...)
	if v == nil {
		return false
	}
	raw, err := json.Marshal(v)
	return err == nil && json.Unmarshal(raw, value) == nil
}

// label is a label of the Cluster API.
func (o *object) label(name string) string { return o.labelOf(group, name) }

func (o *object) labelOf(domain, name string) string {
	return wording.Cut(o.text("metadata", "labels", domain+"/"+name), maxName)
}

// condition is one of an object.
type condition struct {
	Type     string    `json:"type"`
	Status   string    `json:"status"`
	Severity string    `json:"severity"` // Error, Warning, Info; not in v1beta2
	Reason   string    `json:"reason"`
	Message  string    `json:"message"`
	Since    time.Time `json:"lastTransitionTime"`
}

// conditions are those of the object; what has another form is left out.
func (o *object) conditions() (out []condition) {
	list, _ := o.at("status", "conditions").([]any)
	for _, raw := range list {
		one := object{tree: map[string]any{"": raw}}
		var c condition
		if one.into(&c, "") && c.Type != "" {
			out = append(out, c)
		}
	}
	return out
}

// whenTrue are conditions that say something is going on when they are true, and nothing when they are not.
var whenTrue = map[string]bool{
	"Deleting": true, "Paused": true, "ScalingUp": true, "ScalingDown": true, "RollingOut": true, "Remediating": true, "Updating": true,
}

// bad reports whether the condition is not as it should be, or tells what a deletion waits for.
func (c *condition) bad() bool {
	if whenTrue[c.Type] {
		return c.Type == "Deleting" && c.Status == "True"
	}
	return c.Status == "False"
}

// said is what the condition says. The reasons of what only waits for its turn are left out.
func (c *condition) said() string {
	if c.Reason == "" || strings.HasPrefix(c.Reason, "Waiting") || c.Type == "Deleting" {
		return c.Message
	}
	return c.Reason + ": " + c.Message
}
