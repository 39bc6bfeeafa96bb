// Package load fills the control plane of a lab with a cluster of any size. The cluster has nodes of several pools and
// zones, their leases and pods, ReplicaSets, DaemonSets and PodDisruptionBudgets. Some nodes are unhealthy and have
// events.
//
// The objects are written directly to etcd, encoded as the API server stores them. Through the API every pod needs two
// writes, because it drops the status of a new pod, and 180,000 objects take ten minutes. Directly, each pod is one
// write. A test proves that the API server reads the objects back and accepts them as valid in an update.
package load
