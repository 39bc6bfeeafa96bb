package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Layout is how one tool arranges what it collects. Paths are relative to wherever the collection was unpacked.
type Layout struct {
	Tool   string
	Source string // of the tool, from which the layout is known
	// Proof is a path that the tool writes at every run; without one of these its lists prove nothing. nil: it writes none.
	Proof *lazyregexp.Regexp
	Lists []List
	// PodLogs are the paths of logs of containers; they capture ns and pod.
	PodLogs []PodLog
	// Journals are the paths of logs of a machine, saved up to the moment of the collection.
	Journals []*lazyregexp.Regexp
	// Nodes are the paths of what concerns one node; they capture node: its name, its address or the id of its machine.
	Nodes []*lazyregexp.Regexp
	// Cluster are the paths of what the tool asked the API server, on whatever machine it ran.
	Cluster *lazyregexp.Regexp
	// Repeats are pages that the tool makes of lists that it writes beside them.
	Repeats *lazyregexp.Regexp
}

// List is where the tool writes what it reads without a selector, so that a list found there is all there is.
type List struct {
	// Path is that of one list, or of the objects of one kind; it captures the group kind and, for those of one namespace, ns.
	Path *lazyregexp.Regexp
	// Objects: the path is that of single objects, all of which are there.
	Objects bool
	// Everywhere: lists that name no namespace are of all namespaces.
	Everywhere bool
}

// PodLog is a path at which a log of a container is saved.
type PodLog struct {
	Path *lazyregexp.Regexp
	// Whole: the tool asked for it up to that moment, or for that of the run before. A file below /var/log may have been rotated away
	// since, and people save parts.
	Whole bool
}

// All are the layouts that are known, those with the more telling paths first.
func All() []*Layout { return all }

var all = []*Layout{
	Troubleshoot, MustGather, Sonobuoy, Rancher, CrashDiagnostics, ClusterInfo, Node, Talos, Cilium, Periscope, Kops, MicroK8s, Archive, EKS, GKE, Sosreport, ByHand,
}
