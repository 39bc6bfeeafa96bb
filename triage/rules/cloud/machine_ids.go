package cloud

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// machineID returns the resource ID in the node's provider ID in lower case, because clouds vary the case.
func machineID(n *evidence.Node) string {
	_, id, ok := strings.Cut(n.Spec.ProviderID, "://")
	if !ok {
		return ""
	}
	return strings.ToLower(id)
}

// parent returns the part of a machine ID before the machine: its scale set and resource group.
func parent(id string) string {
	i := strings.LastIndex(id, "/virtualmachines/")
	if i < 0 || !strings.Contains(id, "/virtualmachinescalesets/") {
		return id // a standalone machine is in no scale set
	}
	return id[:i]
}

// listedSets counts the machines of completely listed scale sets: the capacity of the set, or if that was not read, at least one
// machine that is a node.
func listedSets(p *triage.Pass, byID map[string]*evidence.CloudMachine) map[string]int {
	listed, nodes := map[string]int{}, map[string]bool{}
	for id := range byID {
		listed[parent(id)]++
	}
	for _, n := range p.Snapshot.Nodes() {
		if id := machineID(n); byID[id] != nil {
			nodes[parent(id)] = true
		}
	}
	capacity := map[string]evidence.CloudCount{}
	for _, set := range facts.Resources[*evidence.CloudSet](p) {
		if n := set.Capacity; n.Known {
			capacity[strings.ToLower(set.ID)] = n
		}
	}
	for id, n := range listed {
		if wanted := capacity[id]; wanted.Known && wanted.Value != n || !wanted.Known && !nodes[id] {
			delete(listed, id)
		}
	}
	return listed
}
