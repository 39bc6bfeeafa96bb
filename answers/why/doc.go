// Package why says what keeps a pod, or the pods of a workload, from running or from going: the scheduler, node
// by node and in its own words; the node; or whoever still has to act. What would help is found by trying it
// with the scheduler's own code, never read out of its message.
package why
