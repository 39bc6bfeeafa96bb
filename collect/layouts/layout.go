package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Layout describes the paths in the output of one tool. Paths are relative to the folder of the output.
type Layout struct {
	Tool   string
	Source string // source code of the tool
	// Proof matches a path that the tool writes at every run. Without such a path, its lists prove nothing. nil: there is none.
	Proof *lazyregexp.Regexp
	Lists []List
	// PodLogs are the paths of container logs; they capture ns and pod.
	PodLogs []PodLog
	// Journals are the paths of machine logs, saved up to the time of the collection.
	Journals []*lazyregexp.Regexp
	// Nodes are the paths of data about one node. They capture node: its name, its address or its machine ID.
	Nodes []*lazyregexp.Regexp
	// Cluster matches the paths of API server responses, on whichever machine the tool ran.
	Cluster *lazyregexp.Regexp
	// Repeats matches text views of lists that the tool also saves.
	Repeats *lazyregexp.Regexp
}

// List is where the tool saves lists that it reads without a selector, so they are complete.
type List struct {
	// Path matches one list, or the objects of one kind. It captures the group kind and, for one namespace, ns.
	Path *lazyregexp.Regexp
	// Objects: the path is of single objects, and all of them are saved.
	Objects bool
	// Everywhere: lists without a namespace in their path cover all namespaces.
	Everywhere bool
}

// PodLog is a path at which a container log is saved.
type PodLog struct {
	Path *lazyregexp.Regexp
	// Whole: the tool saves the complete log up to the collection, or that of the previous run. A file below /var/log may have
	// been rotated, and people save parts.
	Whole bool
}

// All returns the known layouts, the most specific paths first.
func All() []*Layout { return all }

var all = []*Layout{
	Troubleshoot, MustGather, Sonobuoy, Rancher, CrashDiagnostics, ClusterInfo, Node, Talos, Cilium, Periscope, Kops, MicroK8s, Archive, EKS, GKE, Sosreport, ByHand,
}
