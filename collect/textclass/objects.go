package textclass

import (
	"encoding/json"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// object classifies a JSON document that is not a Kubernetes object, by its keys.
type object struct {
	kind Kind
	has  *lazyregexp.Regexp
}

var objects = []object{
	{schema, lazyregexp.New(`^\{\s*"(?:\$schema|swagger|openapi|\$id|definitions)"\s*:`)},
	{packageList, lazyregexp.New(`"(?:bomFormat|spdxVersion|SPDXID)"\s*:`)},
	{Kind{Reference, "dashboard"}, lazyregexp.New(`"panels"\s*:\s*\[(?s:.*)"schemaVersion"\s*:|"schemaVersion"\s*:(?s:.*)"panels"\s*:\s*\[`)},
	{alertRules, lazyregexp.New(`"rules"\s*:\s*\[\s*\{[^{}]*"(?:alert|record)"\s*:`)},
}

// OfObject classifies a JSON document.
func OfObject(raw []byte) Kind {
	for _, o := range objects {
		if o.has.Match(raw) {
			return o.kind
		}
	}
	return Kind{}
}

// ruleList matches alert rules, as in the response of Prometheus to /api/v1/rules.
var ruleList = lazyregexp.New(`"rules"\s*:\s*\[\s*\{`)

// firing matches the state of a rule that reports a problem now.
var firing = lazyregexp.New(`"state"\s*:\s*"(?:firing|pending)"`)

// WithoutQuietRules removes the alert rules that do not fire from a JSON document: they only define what would be reported. It
// reports whether there were any. The result is empty if no rule fires.
func WithoutQuietRules(raw []byte) ([]byte, bool) {
	var tree any
	if !ruleList.Match(raw) || json.Unmarshal(raw, &tree) != nil || !dropQuiet(tree) {
		return raw, false
	}
	if !firing.Match(raw) {
		return nil, true
	}
	out, err := json.Marshal(tree)
	return out, err == nil
}

// dropQuiet removes the rules in a JSON value that do not fire, and reports whether there were any.
func dropQuiet(tree any) bool {
	dropped := false
	switch v := tree.(type) {
	case []any:
		for _, x := range v {
			dropped = dropQuiet(x) || dropped
		}
	case map[string]any:
		for name, x := range v {
			list, ok := x.([]any)
			if !ok || name != "rules" {
				dropped = dropQuiet(x) || dropped
				continue
			}
			var kept []any
			for _, rule := range list {
				if !quiet(rule) {
					kept = append(kept, rule)
				}
			}
			dropped = dropped || len(kept) < len(list)
			v[name] = kept
		}
	}
	return dropped
}

// quiet reports whether a value is a rule that does not fire.
func quiet(rule any) bool {
	m, _ := rule.(map[string]any)
	_, query := m["query"]
	state, _ := m["state"].(string)
	return query && state != "firing" && state != "pending"
}
