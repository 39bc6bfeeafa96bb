// Package predict says what happens to the pods of a node after an event: a Snapshot and a Scenario give a Forecast, in
// virtual time.
//
// The behaviour of the control plane is mirrored from kubernetes/kubernetes v1.36.3; each file names the source of its
// part. What nobody can know beforehand (the phase of a heartbeat, of a controller's period) is not guessed: the simulation
// runs once for every combination of the extremes, and an interval of the Forecast lies between the earliest and the latest
// run. "Never" is an answer, and so is "unknown".
//
// Periods of the control plane and what changed between versions are in settings.go, flags of kube-controller-manager in
// manager.go. node.go and node_timeline.go say what becomes of the nodes, zone.go of a zone; outcome.go what becomes of a pod, job.go and
// controller.go what its owner does then, placing.go and room.go where its replacement goes.
package predict
