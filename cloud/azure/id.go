package azure

import (
	"slices"
	"strings"
)

// machine is a parsed provider ID.
type machine struct {
	subscription, group string // the node resource group
	set, instance       string // of a scale set; empty: a standalone VM
	name                string // of a standalone VM
}

// parseMachine parses a provider ID of the Azure cloud provider (cloud-provider-azure pkg/provider: azure_vmss.go,
// azure_standard.go). The case of its parts varies.
func parseMachine(providerID string) (machine, bool) {
	path, ok := strings.CutPrefix(providerID, "azure://")
	if !ok {
		return machine{}, false
	}
	p := strings.Split(strings.Trim(path, "/"), "/")
	is := func(i int, word string) bool { return i < len(p) && strings.EqualFold(p[i], word) }
	ofCompute := is(0, "subscriptions") && is(2, "resourceGroups") && is(5, "Microsoft.Compute")
	if len(p) < 8 || !ofCompute || slices.ContainsFunc(p, unsafe) {
		return machine{}, false
	}
	m := machine{subscription: p[1], group: p[3]}
	switch {
	case len(p) == 10 && is(6, "virtualMachineScaleSets") && is(8, "virtualMachines"):
		m.set, m.instance = p[7], p[9]
	case len(p) == 8 && is(6, "virtualMachines"):
		m.name = p[7]
	default:
		return machine{}, false
	}
	return m, true
}

// unsafe reports whether a part of an ID would change the path or query of a request.
func unsafe(part string) bool {
	stays := part == "" || part == "." || part == ".."
	return stays || len(part) > 260 || strings.ContainsAny(part, "?#%\\\"' \t\r\n")
}

// safeID reports whether an ID from the API is safe in a request.
func safeID(id string) bool {
	parts := strings.Split(strings.TrimPrefix(id, "/"), "/")
	return strings.HasPrefix(id, "/subscriptions/") && !slices.ContainsFunc(parts, unsafe)
}

// groupOf returns the ID of the resource group at the start of an ID.
func groupOf(id string) string {
	parts := strings.SplitN(strings.TrimPrefix(id, "/"), "/", 5)
	if len(parts) < 4 {
		return ""
	}
	return "/" + strings.Join(parts[:4], "/")
}

// lastOf returns the name at the end of an ID.
func lastOf(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }
