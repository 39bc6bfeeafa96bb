// Package plan says, before anything is done, what a change to the cluster would do and what stands in its
// way. So far: the drain of nodes.
//
// It is pure: a plan follows from the Snapshot and its options alone, so that the plan of a bundle is the plan
// of the cluster at that moment. Budgets are shared by all nodes of a plan, and every blocker of a pod is
// named, with the least harmful way around it.
package plan
