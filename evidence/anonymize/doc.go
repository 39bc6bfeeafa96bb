// Package anonymize replaces the names and addresses of a cluster by stand-ins, so that a report can be shown to somebody who may
// not know them: nodes, pods, their owners and namespaces, volumes and claims, hosts, addresses, people, and the
// subscriptions, groups and resources of a cloud. What diagnosis reads in a name stays: names of components and of system
// namespaces, the number of a StatefulSet's pod, the form of a machine's name, whether two addresses are of one network.
//
// A name is what the evidence declares as one: the names of its objects (declare.go), and the forms in which texts speak of objects
// (forms.go). It gets one stand-in wherever it stands as a whole word (text.go). A name that is also a word of the
// components' own language, such as a namespace "memory", is replaced only where a name is expected. Labels, images,
// names of containers, UIDs and ids of machines stay.
package anonymize
