// Package predict simulates what happens to the pods of a node after an event. A Snapshot and a Scenario give a Forecast, in
// virtual time.
//
// The simulation mirrors the control plane of kubernetes/kubernetes v1.36.3; each file names its source. Values that cannot be
// known beforehand (the phase of a heartbeat, of a controller's period) are not guessed. The simulation runs once for every
// combination of the extremes, and an interval of the Forecast is between the earliest and the latest run. "Never" is an
// answer, and so is "unknown".
//
// Periods of the control plane and changes between versions are in settings.go, flags of kube-controller-manager in manager.go.
// Nodes are in node.go and node_timeline.go, zones in zone.go, pods in outcome.go, their owners in job.go and controller.go,
// and the placement of replacements in placing.go and room.go.
package predict
