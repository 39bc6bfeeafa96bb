package paste

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// machinePhases are the phases of Cluster API and OpenShift machines. The value reports whether the machine waits for its node.
var machinePhases = map[string]bool{
	"Pending": true, "Provisioning": true, "Provisioned": true,
	"Running": false, "Updating": false, "Deleting": false, "Deleted": false, "Failed": false, "Unknown": false,
}

// machineRow reads "kubectl get machines" of the Cluster API, which shows the node, and of OpenShift, which does not.
func machineRow(t *table, c cells, l line) bool {
	phase := c.get("PHASE")
	waits, known := machinePhases[phase]
	if !known && phase != "" || !isName(c["NAME"]) || !isAge(c["AGE"]) {
		return false
	}
	return t.machine("Machine", phase, c.get("NODENAME"), waits, c, l)
}

// claimedNodeRow reads "kubectl get nodeclaims" of Karpenter.
func claimedNodeRow(t *table, c cells, l line) bool {
	if !slices.Contains([]string{"True", "False", "Unknown", ""}, c["READY"]) || !isName(c["NAME"]) || !isAge(c["AGE"]) {
		return false
	}
	return t.machine("NodeClaim", "", c.get("NODE"), true, c, l)
}

func (t *table) machine(typ, phase, node string, waits bool, c cells, l line) bool {
	if !t.p.text.room("machines", l) {
		return true
	}
	m := &evidence.CloudMachine{CloudItem: evidence.CloudItem{Type: typ, Name: trimKind(c["NAME"]), State: phase, Ref: t.p.ref(l)}, Host: strings.ToLower(node)}
	if node == "" && waits {
		m.Joins, m.AwaitsNode = evidence.True, evidence.True
	}
	if ago, ok := parseAge(c["AGE"]); ok {
		m.Ago = &ago
	}
	t.p.text.setAge(&m.Created, c["AGE"])
	t.p.text.machines = append(t.p.text.machines, m)
	return true
}
