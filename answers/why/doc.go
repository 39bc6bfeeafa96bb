// Package why explains what prevents a pod, or the pods of a workload, from running or terminating: the scheduler, node by node
// and in its own words; the node; or the component that still has to act. Remedies are found by trying them with the
// scheduler's code, never from its message.
package why
