// Package kube talks to a Kubernetes API server: a Reader reads, and only a Writer changes anything. It is the only user of
// client-go, of which it takes the configuration and the transport (credentials, exec plugins, proxies, TLS).
//
// Lists are read in pages that go to the caller one by one, in protobuf, so that memory does not grow with the cluster. No
// secret and no ConfigMap is ever asked for: the resources of resources.go are all there are. A paged list asks for the
// newest state, as servers before 1.33 ignore the page size with resourceVersion=0. A list of one node's pods asks with
// resourceVersion=0: the watch cache has an index by node name, where older servers would read every pod from etcd.
package kube
