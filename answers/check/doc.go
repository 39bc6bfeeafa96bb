// Package check finds risks for node loss, drains and upgrades in advance: PodDisruptionBudgets that never allow an eviction,
// pods that fit nowhere else, what the cloud rejects at the next upgrade. The same evidence gives the same review.
package check
