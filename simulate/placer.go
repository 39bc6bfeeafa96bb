package simulate

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Fit says whether a pod finds room.
type Fit string

// The verdicts of a Placer.
const (
	Fits       Fit = "fits"
	Pending    Fit = "pending"
	UnknownFit Fit = "unknown"
)

// Placer finds room for new pods. It is asked once per forecast and option, and again about those that wait for a node.
type Placer interface {
	// Place tells for each pod, in order, where it would fit; each takes the room that it finds. The answers
	// are as many as the pods.
	Place(s *evidence.Snapshot, pods []Wanted, after After) []Place
}

// Wanted is a pod to place: a copy of Like, which is on one of the nodes that fail, or on none yet.
type Wanted struct {
	Like *evidence.Pod
	// OldStays: the pod that it replaces is still there when it is created, and holds its volumes.
	OldStays bool
	// NodesBack: the nodes have returned when it is created, and so have those after it.
	NodesBack bool
}

// After is what the event leaves of the cluster.
type After struct {
	Taints map[string][]corev1.Taint // added to nodes, by name
	Gone   map[string]bool           // nodes whose objects are deleted
}

// Place is where a pod would go.
type Place struct {
	Fit     Fit
	Nodes   int    // how many it fits on
	Message string // the scheduler's own words if none
}
