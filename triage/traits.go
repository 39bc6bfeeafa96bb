package triage

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// attributes are properties of every node, in the order in which a report shows them.
var attributes = []struct {
	name string
	of   func(*evidence.Node) string
}{
	{"zone", Zone},
	{"pool", Pool},
	{"node image", NodeImage},
	{"kernel", func(n *evidence.Node) string { return n.Node.Status.NodeInfo.KernelVersion }},
	{"kubelet", func(n *evidence.Node) string { return n.Node.Status.NodeInfo.KubeletVersion }},
	{"runtime", func(n *evidence.Node) string {
		v := n.Node.Status.NodeInfo.ContainerRuntimeVersion
		if strings.HasSuffix(v, "://Unknown") { // the runtime did not answer the kubelet
			return ""
		}
		return v
	}},
	{"os image", func(n *evidence.Node) string { return n.Node.Status.NodeInfo.OSImage }},
	{"instance type", func(n *evidence.Node) string {
		return label(n, "node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")
	}},
}

// Traits returns the known attributes of the node by name.
func Traits(n *evidence.Node) map[string]string {
	out := make(map[string]string, len(attributes))
	for _, a := range attributes {
		if v := a.of(n); v != "" {
			out[a.name] = v
		}
	}
	return out
}

// Zone returns the zone from the node's labels, or "".
func Zone(n *evidence.Node) string {
	return label(n, "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
}

// Pool returns the node pool or node group.
func Pool(n *evidence.Node) string {
	if _, pool := n.PoolLabel(); pool != "" || !n.Partial {
		return pool
	}
	return n.PoolOfName()
}

// NodeImage returns the machine image of the node from its labels, or "".
func NodeImage(n *evidence.Node) string {
	return label(n, evidence.LabelNodeImage, "eks.amazonaws.com/nodegroup-image", "karpenter.k8s.aws/instance-ami-id")
}

func label(n *evidence.Node, keys ...string) string {
	for _, k := range keys {
		if v := n.Labels[k]; v != "" {
			return v
		}
	}
	return ""
}

// traitKind is a class of traits that only some nodes have.
type traitKind int

// The best hints at a failure first.
const (
	device traitKind = iota
	daemon
	kubeletConfig
	taint
	nodeLabel
)

var traitKinds = []string{"device", "DaemonSet", "kubelet", "taint", "label"}

// trait is a property that some nodes have: a label, a taint, a device, a setting, the images of a DaemonSet pod.
type trait struct {
	kind traitKind
	name string
}

func (t trait) String() string { return traitKinds[t.kind] + " " + t.name }

func compareTraits(a, b trait) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), strings.Compare(a.name, b.name))
}

// none is the shown value of a trait that a node does not have and others do.
const none = "none"

// comparer reads the traits of the nodes of one Snapshot.
type comparer struct {
	s     *evidence.Snapshot
	nodes map[string]map[string]string // images of DaemonSet pods, by node and DaemonSet
	specs map[*corev1.PodSpec]string   // images by pod template, which pods share
}

func newComparer(s *evidence.Snapshot) *comparer {
	return &comparer{s: s, nodes: map[string]map[string]string{}, specs: map[*corev1.PodSpec]string{}}
}

// each calls f with every trait of the node and its value.
func (c *comparer) each(n *evidence.Node, f func(trait, string)) {
	for k, v := range n.Labels {
		if !told[k] {
			f(trait{nodeLabel, k}, v)
		}
	}
	for _, t := range n.Spec.Taints {
		if !ofState(t.Key) {
			f(trait{taint, t.Key}, strings.TrimPrefix(t.Value+":"+string(t.Effect), ":"))
		}
	}
	for name, q := range n.Node.Status.Allocatable {
		if isDevice(name) && !q.IsZero() {
			f(trait{device, string(name)}, q.String())
		}
	}
	if k := c.s.Kubelet(n.Name); k != nil {
		for name, v := range k.Config {
			if !individual[name] {
				f(trait{kubeletConfig, name}, v)
			}
		}
	}
	for name, images := range c.daemons(n.Name) {
		f(trait{daemon, name}, images)
	}
}

// of returns the value of a trait of the node, "" if it does not have it, and whether the evidence would show it.
func (c *comparer) of(n *evidence.Node, t trait) (value string, shown bool) {
	switch t.kind {
	case nodeLabel:
		return n.Labels[t.name], !n.Partial || len(n.Labels) > 0
	case taint:
		if found := n.Taint(t.name); found != nil {
			return strings.TrimPrefix(found.Value+":"+string(found.Effect), ":"), true
		}
		return "", !n.Partial
	case device:
		if q := n.Node.Status.Allocatable[corev1.ResourceName(t.name)]; !q.IsZero() {
			return q.String(), true
		}
		return "", len(n.Node.Status.Allocatable) > 0
	case kubeletConfig:
		k := c.s.Kubelet(n.Name)
		if k == nil || len(k.Config) == 0 {
			return "", false
		}
		return k.Config[t.name], true
	}
	images, ok := c.daemons(n.Name)[t.name]
	return images, ok || c.s.Covers(evidence.Pods) == evidence.Complete && !c.s.Source().OneNode()
}

// daemons returns the images of the DaemonSet pods on a node, by DaemonSet.
func (c *comparer) daemons(node string) map[string]string {
	known, ok := c.nodes[node]
	if ok {
		return known
	}
	known = map[string]string{}
	for _, p := range c.s.PodsOn(node) {
		if mechanics.Replaces(p) == mechanics.OnSameNode && p.Spec != nil && !p.Finished() && !p.Deleting() {
			known[p.Namespace+"/"+p.Owner.Name] = c.images(p.Spec)
		}
	}
	c.nodes[node] = known
	return known
}

// images returns the container images of a pod.
func (c *comparer) images(spec *corev1.PodSpec) string {
	known, ok := c.specs[spec]
	if !ok {
		var list []string
		for i := range spec.Containers {
			list = append(list, spec.Containers[i].Image)
		}
		known = strings.Join(slices.Compact(slices.Sorted(slices.Values(list))), ", ")
		c.specs[spec] = known
	}
	return known
}

// isDevice reports whether a driver or an operator adds this resource to a node.
func isDevice(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourceStorage, corev1.ResourcePods:
		return false
	}
	return !strings.HasPrefix(string(name), "attachable-volumes-")
}

// ofState reports whether a taint shows the state of a node or an operation on it. Such a taint is not a difference.
func ofState(key string) bool {
	return strings.HasPrefix(key, "node.kubernetes.io/") || strings.HasPrefix(key, "node.cloudprovider.kubernetes.io/") ||
		key == "ToBeDeletedByClusterAutoscaler" || key == "DeletionCandidateOfClusterAutoscaler"
}

// individual are settings that differ on every node.
var individual = map[string]bool{"podCIDR": true, "address": true}

// told are labels that attributes already cover, or that differ on every node.
var told = map[string]bool{
	corev1.LabelHostname: true, corev1.LabelTopologyZone: true, corev1.LabelFailureDomainBetaZone: true,
	corev1.LabelInstanceTypeStable: true, corev1.LabelInstanceType: true, "beta.kubernetes.io/arch": true, "beta.kubernetes.io/os": true,
	evidence.LabelNodeImage: true, "eks.amazonaws.com/nodegroup-image": true, "karpenter.k8s.aws/instance-ami-id": true,
}

// few is the maximum number of traits in a comparison.
const few = 8

// first returns the traits that are the best hints, by their names in a report.
func first(found map[trait]string) map[string]string {
	out := map[string]string{}
	for _, t := range slices.SortedFunc(maps.Keys(found), compareTraits) {
		if len(out) == few {
			break
		}
		out[t.String()] = cmp.Or(found[t], none)
	}
	return out
}
