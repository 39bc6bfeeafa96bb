// Package kube talks to a Kubernetes API server: a Reader reads, and only a Writer changes anything. It is the
// only user of client-go, and imports nothing of ours.
//
// Only the client's configuration and transport come from client-go (credentials, exec plugins, proxies,
// TLS); a Reader's requests are plain GETs. Lists are read in pages that go to the caller one by one, in protobuf, so
// that memory does not grow with the cluster. No secret and no ConfigMap is ever asked for: the resources
// of resources.go are all there are.
//
// Choices about consistency: a paged list asks for the newest state (no resourceVersion). With
// resourceVersion=0 servers before 1.33 ignore the page size and answer with everything at once. A list of
// one node's pods asks with resourceVersion=0: it is served from the watch cache and its index by node name,
// where older servers would otherwise read every pod of the cluster from etcd.
package kube
