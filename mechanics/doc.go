// Package mechanics is how Kubernetes itself behaves: what a toleration tolerates, which node an affinity allows, when a
// pod is evicted from a tainted node, what a disruption budget answers, what replaces a pod. Each law stands here once, with
// the source that it mirrors, so that two commands cannot answer one question in two ways. Paths are those of
// kubernetes/kubernetes unless they name another module; the version is the one that was read.
//
// The laws are functions of objects. They decide nothing about clusters: whether a node is unhealthy, whether a drain may
// begin and what happens when are questions for the packages above.
//
// Of taints: toleration.go, the tolerations that pods have by default (default_tolerations.go), and when who is evicted
// (eviction_due.go). Of the scheduler: affinity.go, priority.go, density.go, daemon_nodes.go. Of evictions: budget.go, and
// ledger.go while pods come and go; drain.go says what a drain does with a pod, grace.go how long it may take, ending.go what holds
// a pod that is being deleted, owner.go what replaces it. Of nodes: heartbeat.go, kubelet.go, host_data.go, plugin.go, devices.go.
package mechanics
