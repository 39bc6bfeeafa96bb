// Package anonymize replaces names and addresses of a cluster with aliases so that a report can be shared: nodes, pods,
// owners, namespaces, volumes, claims, hosts, addresses, people, and subscriptions, groups and resources of a cloud.
// Parts that diagnosis needs stay: components, system namespaces, StatefulSet ordinals, the pattern of machine names,
// common networks.
//
// Names come from objects (declare.go) and from references in texts (forms.go). A name gets one alias wherever it is a
// whole word (text.go). A name that is also a word in component messages, such as a namespace "memory", is replaced
// only where a name is expected. Labels, images, container names, UIDs and machine IDs stay.
package anonymize
