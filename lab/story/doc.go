// Package story injects faults on real nodes with workloads, in sequence and at the same time. It runs nodetriage
// continuously, and compares each answer with the state at that moment: broken, resolved, or not visible yet.
package story
