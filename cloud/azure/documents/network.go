package documents

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// routeValues reads the default route of a route table.
func routeValues(r *resource, tree map[string]any) {
	for _, route := range inProperties(tree, "routes") {
		if field(route, "addressPrefix") == "0.0.0.0/0" {
			r.Properties["defaultRoute"] = wording.Cut(strings.TrimSpace(field(route, "nextHopType")+" "+field(route, "nextHopIpAddress")), maxName)
		}
	}
}

// requiredValues reads the egress addresses in a category that a cluster requires.
func requiredValues(r *resource, tree map[string]any) {
	var endpoints []string
	for _, e := range objectsIn(tree, "endpoints") {
		for _, d := range objectsIn(e, "endpointDetails") {
			endpoints = append(endpoints, text(e, "domainName")+":"+field(d, "port"))
		}
	}
	r.Properties["endpoints"] = wording.Cut(strings.Join(endpoints, " "), maxEvidence)
}

// field returns a field of a resource as text, in the format of the API or of az.
func field(tree map[string]any, key string) string {
	for _, at := range []string{key, "properties." + key} {
		if v, ok := lookup(tree, at); ok && plain(v) {
			return fmt.Sprint(v)
		}
	}
	return ""
}

func inProperties(tree map[string]any, key string) []map[string]any {
	if list := objectsIn(tree, key); list != nil {
		return list
	}
	return objectsIn(tree, "properties."+key)
}

func stringsIn(tree map[string]any, key string) []string {
	var out []string
	for _, at := range []string{key, "properties." + key} {
		v, _ := lookup(tree, at)
		list, _ := v.([]any)
		for _, item := range list {
			if s, ok := item.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}
