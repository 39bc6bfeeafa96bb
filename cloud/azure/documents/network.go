package documents

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// networkValues reads what in a security group or route table decides whether nodes reach the outside: the rule that
// wins for HTTPS to the internet, and the next hop of the default route.
func networkValues(r *resource, tree map[string]any) {
	if r.Type == "route-table" {
		for _, route := range inProperties(tree, "routes") {
			if field(route, "addressPrefix") == "0.0.0.0/0" {
				r.Properties["defaultRoute"] = wording.Cut(strings.TrimSpace(field(route, "nextHopType")+" "+field(route, "nextHopIpAddress")), maxName)
			}
		}
		return
	}
	best := int64(1 << 20)
	for _, rule := range inProperties(tree, "securityRules") {
		if !strings.EqualFold(field(rule, "direction"), "Outbound") || !httpsToInternet(rule) {
			continue
		}
		priority, err := json.Number(field(rule, "priority")).Int64()
		if err != nil || priority >= best {
			continue
		}
		best = priority
		delete(r.Properties, "deniesOutbound")
		if strings.EqualFold(field(rule, "access"), "Deny") {
			r.Properties["deniesOutbound"] = wording.Cut(fmt.Sprintf("%s (priority %d)", text(rule, "name"), priority), maxName)
		}
	}
}

// requiredValues reads the addresses of a category that a cluster must reach.
func requiredValues(r *resource, tree map[string]any) {
	var endpoints []string
	for _, e := range objectsIn(tree, "endpoints") {
		for _, d := range objectsIn(e, "endpointDetails") {
			endpoints = append(endpoints, text(e, "domainName")+":"+field(d, "port"))
		}
	}
	r.Properties["endpoints"] = wording.Cut(strings.Join(endpoints, " "), maxEvidence)
}

// httpsToInternet reports whether a rule concerns TCP 443 to any address of the internet.
func httpsToInternet(rule map[string]any) bool {
	ports := append(stringsIn(rule, "destinationPortRanges"), field(rule, "destinationPortRange"))
	places := append(stringsIn(rule, "destinationAddressPrefixes"), field(rule, "destinationAddressPrefix"))
	protocol := strings.ToLower(field(rule, "protocol"))
	return (protocol == "*" || protocol == "tcp") && anyOf(ports, "*", "443", "0-65535") && anyOf(places, "*", "internet", "0.0.0.0/0")
}

func anyOf(list []string, wanted ...string) bool {
	for _, s := range list {
		for _, w := range wanted {
			if strings.EqualFold(s, w) {
				return true
			}
		}
	}
	return false
}

// field is one of a resource as text, in the shape of the API or of az.
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
