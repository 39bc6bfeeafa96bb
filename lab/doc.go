// Package lab starts a real Kubernetes control plane for tests: etcd, kube-apiserver, kube-controller-manager
// and kube-scheduler, built once from Go modules, on loopback with TLS and RBAC, in one folder.
//
// It is a module of its own and never part of nodetriage. Several control planes run side by side. Nothing
// stays behind after Stop, nor when the program that started them is killed (on Linux).
package lab
