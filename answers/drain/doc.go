// Package drain plans how nodes are emptied: which pods go in which order, what keeps each of them, with the least harmful
// way around it, and how long it takes. Budgets are shared by all nodes of a plan.
//
// It is pure: a plan follows from the Snapshot and its options alone, so that the plan of a bundle is the plan of the
// cluster at that moment.
package drain
