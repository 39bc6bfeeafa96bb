// Package drain plans how to drain nodes: the order of the pods, what blocks each of them, the workaround with the least risk,
// and the duration. All nodes of a plan share the PodDisruptionBudgets.
//
// It is pure: a plan depends only on the Snapshot and its options, so that the plan of a bundle is the plan of the cluster at
// that moment.
package drain
