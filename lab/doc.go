// Package lab starts a real Kubernetes control plane for tests: etcd, kube-apiserver, kube-controller-manager and
// kube-scheduler. They are built once from Go modules and run on loopback with TLS and RBAC, in one folder.
//
// It is a separate module and never part of nodetriage. Several control planes run in parallel. Nothing remains after
// Stop, or after the program that started them is killed (on Linux).
package lab
