package textclass

import (
	"encoding/json"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// object identifies a document of JSON that is no object of Kubernetes by its keys.
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

// OfObject identifies a document of JSON.
func OfObject(raw []byte) Kind {
	for _, o := range objects {
		if o.has.Match(raw) {
			return o.kind
		}
	}
	return Kind{}
}

// ruleList has the rules of an alert manager, as Prometheus answers /api/v1/rules.
var ruleList = lazyregexp.New(`"rules"\s*:\s*\[\s*\{`)

// firing is the state of a rule that reports something now.
var firing = lazyregexp.New(`"state"\s*:\s*"(?:firing|pending)"`)

// WithoutQuietRules is a document of JSON without the alert rules in it that do not fire: they state what would be reported. It
// reports whether there were any. Empty: no rule fires.
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

// dropQuiet drops the rules below a value of JSON that do not fire, and reports whether there were any.
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
