// Package kube is the client of the Kubernetes API server. A Reader only reads; a Writer changes objects. It is the
// only user of client-go, for configuration and transport (credentials, exec plugins, proxies, TLS).
//
// Lists are read in pages and in protobuf, so that memory does not grow with the cluster. Secrets and ConfigMaps are
// never requested: resources.go has all resources. Paged lists request the newest state because servers before 1.33
// ignore the page size with resourceVersion=0. Lists of one node's pods use resourceVersion=0: the watch cache has an
// index by node name, but older servers would read every pod from etcd.
package kube
