// Package mechanics mirrors the behavior of Kubernetes, each rule once, with its file and version in
// kubernetes/kubernetes. Rules are functions of objects and judge no cluster. Below it: placement (where a pod fits)
// and admission.
//
// Taints: toleration.go, default_tolerations.go, eviction_due.go. Scheduling: affinity.go, priority.go, density.go,
// daemon_nodes.go, attach.go. Evictions: budget.go, ledger.go (a simulation), drain.go, grace.go, ending.go (what blocks a
// deletion), owner.go (what replaces a pod). Volumes: volume_claim.go, host_data.go. Nodes: heartbeat.go, kubelet.go,
// certificate.go, labels.go, taint_pass.go, plugin.go, devices.go.
package mechanics
