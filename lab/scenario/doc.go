// Package scenario injects faults on real nodes, provides the truth, and records the evidence.
package scenario
