package documents

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	maxRules  = 1000 // per security group
	httpsPort = 443
)

// securityValues reads the outbound HTTPS rules of a security group, or one of them. Nodes connect to the API server
// and other endpoints with HTTPS.
func securityValues(r *resource, tree map[string]any) {
	rules := inProperties(tree, "securityRules")
	if r.Type == "security-rule" {
		rules = []map[string]any{tree}
	}
	for _, rule := range rules[:min(len(rules), maxRules)] {
		priority, err := json.Number(field(rule, "priority")).Int64()
		if err != nil || !strings.EqualFold(field(rule, "direction"), "Outbound") || !https(rule) {
			continue
		}
		w := evidence.CloudWayOut{Rule: wording.Cut(text(rule, "name"), maxName), Priority: int(priority), Denies: strings.EqualFold(field(rule, "access"), "Deny")}
		w.To = once(append(stringsIn(rule, "destinationAddressPrefixes"), field(rule, "destinationAddressPrefix")))
		w.To = slices.DeleteFunc(w.To, func(place string) bool { return place == "" })
		if len(w.To) == 0 {
			continue // to machines of the same network
		}
		if slices.ContainsFunc(w.To, everywhere) {
			w.To = nil
		}
		r.outbound = append(r.outbound, w)
	}
	var subnets []string
	for _, s := range inProperties(tree, "subnets") {
		subnets = append(subnets, text(s, "id"))
	}
	r.Properties["subnets"] = wording.Cut(strings.Join(subnets, ","), maxEvidence)
}

func everywhere(place string) bool {
	return place == "*" || place == "0.0.0.0/0" || strings.EqualFold(place, "Internet")
}

// https reports whether a rule applies to TCP port 443.
func https(rule map[string]any) bool {
	protocol := field(rule, "protocol")
	if protocol != "*" && !strings.EqualFold(protocol, "tcp") {
		return false
	}
	for _, ports := range append(stringsIn(rule, "destinationPortRanges"), field(rule, "destinationPortRange")) {
		from, to, span := strings.Cut(ports, "-")
		if !span {
			to = from
		}
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		numbers := err1 == nil && err2 == nil
		if ports == "*" || numbers && first <= httpsPort && httpsPort <= last {
			return true
		}
	}
	return false
}

// securityGroup returns a group, or the part of it with one rule.
func (r *resource) securityGroup(item evidence.CloudItem) *evidence.CloudSecurityGroup {
	g := &evidence.CloudSecurityGroup{CloudItem: item, Part: r.Type == "security-rule", Subnets: list(r.Properties["subnets"], ","), Out: r.outbound}
	if g.Part {
		g.Type, g.ID, g.Name = "security-group", "", r.Properties[groupOfRule]
		if i := strings.LastIndex(strings.ToLower(r.ID), "/securityrules/"); i >= 0 {
			g.ID, g.Name = r.ID[:i], partOfID(r.ID, "networkSecurityGroups")
		}
	}
	return g
}
