// Package check finds what would make trouble when nodes go, before they do: budgets that never let a pod go, pods that
// fit nowhere else, what the cloud refuses of the next upgrade. The same evidence gives the same review.
package check
