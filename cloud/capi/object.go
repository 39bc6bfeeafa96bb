package capi

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// object is an API object as a tree.
type object struct {
	kind, name string
	tree       map[string]any
}

func objectOf(tree map[string]any) *object {
	o := &object{tree: tree}
	o.kind, o.name = wording.Cut(o.text("kind"), maxName), wording.Cut(o.text("metadata", "name"), maxName)
	return o
}

// at returns the value at the path, or nil.
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

// time returns a time of the object's metadata, or zero.
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

// into decodes the value at the path, and reports whether it matches.
func (o *object) into(value any, path ...string) bool {
	v := o.at(path...)
	if v == nil {
		return false
	}
	raw, err := json.Marshal(v)
	return err == nil && json.Unmarshal(raw, value) == nil
}

// label returns a label of the Cluster API.
func (o *object) label(name string) string { return o.labelOf(group, name) }

func (o *object) labelOf(domain, name string) string {
	return wording.Cut(o.text("metadata", "labels", domain+"/"+name), maxName)
}

// condition is a condition of an object.
type condition struct {
	Type     string    `json:"type"`
	Status   string    `json:"status"`
	Severity string    `json:"severity"` // Error, Warning, Info; not in v1beta2
	Reason   string    `json:"reason"`
	Message  string    `json:"message"`
	Since    time.Time `json:"lastTransitionTime"`
}

// conditions returns the conditions of the object and skips invalid ones.
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

// whenTrue are conditions that report progress if True, and nothing otherwise.
var whenTrue = map[string]bool{
	"Deleting": true, "Paused": true, "ScalingUp": true, "ScalingDown": true, "RollingOut": true, "Remediating": true, "Updating": true,
}

// bad reports whether the condition is bad, or shows what a deletion waits for.
func (c *condition) bad() bool {
	if whenTrue[c.Type] {
		return c.Type == "Deleting" && c.Status == "True"
	}
	return c.Status == "False"
}

// said returns the text of the condition. It skips reasons that only mean waiting.
func (c *condition) said() string {
	if c.Reason == "" || strings.HasPrefix(c.Reason, "Waiting") || c.Type == "Deleting" {
		return c.Message
	}
	return c.Reason + ": " + c.Message
}
