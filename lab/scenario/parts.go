//go:build linux

package scenario

import "slices"

// Part is a part of a node that a scenario breaks, or that must work for its fault to show.
type Part string

// Parts of a node.
const (
	Reporting  Part = "reporting" // the status that the kubelet posts
	Runtime    Part = "runtime"
	Sandboxes  Part = "sandboxes" // whether pods start
	Disk       Part = "disk"
	Memory     Part = "memory"
	Processes  Part = "processes"
	Port       Part = "port"     // whether the kubelet answers
	Settings   Part = "settings" // of the kubelet
	StaticPods Part = "static pods"
	Pods       Part = "pods"     // one pod that existed before
	Schedule   Part = "schedule" // whether new pods are scheduled to the node
	Links      Part = "links"
)

// everything is the set of parts of a fault after which the node reports nothing, or nothing reliable.
var everything = []Part{Reporting, Runtime, Sandboxes, Disk, Memory, Processes, Port, Settings, StaticPods, Pods, Schedule, Links}

// Coexists reports whether both faults can be on one node at the same time, each with its own evidence.
func (s Scenario) Coexists(other Scenario) bool {
	return !s.Lone && !other.Lone && !slices.ContainsFunc(s.Occupies, func(p Part) bool { return slices.Contains(other.Occupies, p) })
}

// Patterns of Sign that several scenarios share.
const (
	silent = `^condition Ready=Unknown`
	atOnce = `^broken$`
)
