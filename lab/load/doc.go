// Package load fills a lab's control plane with a cluster of any size: nodes of several pools and zones,
// their leases and pods, ReplicaSets, DaemonSets and budgets, and some sick nodes with their events.
//
// The objects go straight into etcd, encoded as the API server stores them. Through the API every pod would
// take two writes (it drops a new pod's status), and 180,000 objects ten minutes; so it is one. A test
// proves that the API server reads the objects back and takes them as valid in an update.
package load
