package mechanics

import "github.com/nodetriage/nodetriage/evidence"

// TaintedInNextPass reports whether a node that the control plane has just set to Unknown gets its NoExecute taint in
// the next pass of the monitor. Up to 1.33 the condition before the pass decided. Since 1.34 it is the condition that
// the pass has set, so the node may get its taint before the controller has counted other lost nodes
// (processTaintBaseEviction and monitorNodeHealth of pkg/controller/nodelifecycle/node_lifecycle_controller.go,
// v1.31.14 to v1.36.3). Unknown: the version is not in the evidence.
func TaintedInNextPass(d *evidence.Data) evidence.Fact {
	switch minor, exact := ServerMinor(d); {
	case minor >= 34:
		return evidence.False
	case exact:
		return evidence.True
	}
	return evidence.Unknown
}
