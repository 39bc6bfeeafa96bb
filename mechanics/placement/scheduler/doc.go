// Package scheduler is a placement.Board made of the scheduler's own code: the scheduling framework and all default
// plugins of kubernetes/kubernetes v1.36.3, fed from a Snapshot. It is the only package that links them. Nothing is read
// from a cluster and nothing is written to one; the same Snapshot gives the same answer.
//
// A Cluster is changed only by Assume, Forget, PutNode and RemoveNode, which let a forecast or a plan play what
// would happen. It is not safe for concurrent use; Clone makes another one.
package scheduler
