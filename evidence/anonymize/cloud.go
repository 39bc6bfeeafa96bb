package anonymize

import (
	"fmt"
	"strings"
)

// providerID declares the user-chosen parts of a provider ID.
func (n *Names) providerID(id string) {
	scheme, rest, ok := strings.Cut(id, "://")
	if !ok {
		return
	}
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	switch scheme {
	case "azure":
		n.resourceID(rest)
	case "gce":
		if len(parts) == 3 {
			n.fresh(parts[0], "project")
			n.node(parts[2])
		}
	case "kind":
		if len(parts) == 3 {
			n.fresh(parts[1], "cluster")
		}
	case "aws":
	default:
		if last := parts[len(parts)-1]; len(parts) > 1 && !isID(last) {
			n.node(last)
		}
	}
}

// isID reports whether the text is a generated ID.
func isID(s string) bool {
	return strings.Trim(strings.ToLower(s), "0123456789abcdef-") == "" || idOfEC2.MatchString(s)
}

// stays are resource names that the cloud chooses.
var stays = map[string]bool{"kubernetes": true, "default": true, "kubernetes-internal": true, "system": true, "aksnodesubnet": true}

// resourceID declares the names in an Azure resource ID.
func (n *Names) resourceID(id string) {
	parts := strings.Split(strings.Trim(id, "/"), "/")
	for i := 0; i+1 < len(parts); i += 2 {
		kind, name := strings.ToLower(parts[i]), parts[i+1]
		if name == "" || stays[strings.ToLower(name)] {
			continue
		}
		switch kind {
		case "subscriptions":
			n.guid(name)
		case "resourcegroups":
			n.group(name)
		case "providers":
			i++
			for ; i+2 < len(parts)+1 && i+1 < len(parts); i += 2 {
				if i+2 <= len(parts) {
					n.resource(strings.ToLower(parts[i+1]), at(parts, i+2))
				}
			}
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// resource declares one resource by its kind.
func (n *Names) resource(kind, name string) {
	if name == "" || stays[strings.ToLower(name)] || strings.Trim(name, "0123456789") == "" || !nodeName.MatchString(name) {
		return
	}
	switch kind {
	case "managedclusters", "connectedclusters", "clusters":
		n.fresh(name, "cluster")
	case "agentpools", "extensions", "locations", "operations", "providers", "policyassignments", "roleassignments", "roledefinitions", "maintenanceconfigurations", "securityrules", "availabilityzones", "upgradeprofiles", "versions":
	case "virtualmachinescalesets":
		n.scaleSet(name)
	case "virtualmachines":
		n.node(name)
	case "disks", "snapshots":
		if !dynamicVolume.MatchString(name) {
			n.fresh(name, "disk")
		}
	case "virtualnetworks":
		n.fresh(name, "vnet")
	case "subnets":
		n.fresh(name, "subnet")
	case "networksecuritygroups":
		n.fresh(name, "nsg")
	case "userassignedidentities":
		n.fresh(name, "identity")
	default:
		n.fresh(name, "resource")
	}
}

// group declares a resource group. The default name of a node resource group contains the group, cluster and region.
func (n *Names) group(name string) string {
	if n.to[strings.ToLower(name)] != "" {
		return n.to[strings.ToLower(name)]
	}
	parts := strings.Split(name, "_")
	if len(parts) == 4 && strings.EqualFold(parts[0], "MC") {
		return n.as(name, "mc_"+n.group(parts[1])+"_"+n.fresh(parts[2], "cluster")+"_"+strings.ToLower(parts[3]))
	}
	return n.fresh(name, "group")
}

// guid declares a subscription ID.
func (n *Names) guid(id string) string {
	if len(id) != 36 {
		return n.fresh(id, "subscription")
	}
	return n.set(id, "subscription", func(i int) string { return fmt.Sprintf("00000000-0000-0000-0000-%012d", i) })
}
