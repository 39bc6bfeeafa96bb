// Package scheduler implements placement.Board with the code of the scheduler: the scheduling framework and all default
// plugins of kubernetes/kubernetes v1.36.3, with data from a Snapshot. It is the only package that links them. It reads
// and writes no cluster, and its results are deterministic.
//
// Only Assume, Forget, PutNode and RemoveNode change a Cluster, so that forecasts and plans can simulate changes. It is
// not safe for concurrent use; Clone returns a copy.
package scheduler
