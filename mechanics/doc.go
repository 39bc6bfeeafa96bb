// Package mechanics is how Kubernetes itself behaves, each law once, with the file and version of kubernetes/kubernetes that it
// mirrors. Laws are functions of objects and decide nothing about clusters. Below it: placement (where a pod fits) and admission.
//
// Of taints: toleration.go, default_tolerations.go, and when who is evicted (eviction_due.go). Of the scheduler: affinity.go,
// priority.go, density.go, daemon_nodes.go. Of evictions: budget.go, and ledger.go while pods come and go; drain.go says what a
// drain does with a pod, grace.go how long it may take, ending.go what holds a pod that is being deleted, owner.go what
// replaces it. Of nodes: heartbeat.go, kubelet.go, host_data.go, plugin.go, devices.go.
package mechanics
