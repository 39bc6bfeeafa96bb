// Package mechanics is how Kubernetes itself behaves: what a toleration tolerates, which node an affinity allows, when a
// pod is evicted from a tainted node, what a disruption budget answers, what replaces a pod. Each law stands here once, with
// the source that it mirrors, so that two commands cannot answer one question in two ways. Paths are those of
// kubernetes/kubernetes unless they name another module; the version is the one that was read.
//
// The laws are functions of objects. They decide nothing about clusters: whether a node is unhealthy, whether a drain may
// begin and what happens when are questions for the packages above.
package mechanics
