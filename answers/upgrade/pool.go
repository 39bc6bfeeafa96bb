package upgrade

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// pool is a pool and its nodes to replace.
type pool struct {
	name        string
	label       string           // the label of its nodes
	nodes       []*evidence.Node // by name
	size        int              // number of nodes when an upgrade of it begins
	quarantined []*evidence.Node // the cloud does not replace them
	cloud       *evidence.CloudPool
}

func findPool(s *evidence.Snapshot, name string) (*pool, error) {
	p := &pool{name: name}
	known := map[string]bool{}
	for _, n := range s.Data().Nodes {
		label, of := n.PoolLabel()
		if of != "" {
			known[of] = true
		}
		switch {
		case of != name || name == "":
		case n.Labels[quarantine] == "Quarantined":
			p.quarantined = append(p.quarantined, n)
		default:
			p.label, p.nodes = label, append(p.nodes, n)
		}
	}
	for _, r := range evidence.CloudOf[*evidence.CloudPool](s.Data()) {
		if r.Name == name {
			p.cloud = r
		}
	}
	switch {
	case len(p.nodes) > 0:
	case known[name] || p.cloud != nil:
		return nil, fmt.Errorf("node pool %q has no nodes to upgrade", name)
	default:
		return nil, &evidence.AbsentError{What: "node pool", Name: name, Names: slices.Sorted(maps.Keys(known))}
	}
	p.size = len(p.nodes)
	return p, nil
}

// quarantine is the label of a node that a service could not drain.
const quarantine = evidence.LabelUpgradeStatus

func (p *pool) names() []string {
	var out []string
	for _, n := range p.nodes {
		out = append(out, n.Name)
	}
	return out
}

func (p *pool) zones() []string {
	zones := map[string]bool{}
	for _, n := range p.nodes {
		zones[n.Labels[corev1.LabelTopologyZone]] = true
	}
	return slices.Sorted(maps.Keys(zones))
}

// model returns a node of the zone that new nodes copy, a healthy one if possible.
func (p *pool) model(zone string) *evidence.Node {
	var last *evidence.Node
	for _, n := range p.nodes {
		if n.Labels[corev1.LabelTopologyZone] != zone {
			continue
		}
		if n.Ready() == evidence.True && !n.Spec.Unschedulable {
			return n
		}
		last = n
	}
	return last
}

// newNode returns a copy of model as it joins the cluster.
func newNode(model *corev1.Node, name string) *corev1.Node {
	n := model.DeepCopy()
	n.Name, n.UID = name, ""
	if _, ok := n.Labels[corev1.LabelHostname]; ok {
		n.Labels[corev1.LabelHostname] = name
	}
	return uncordoned(n)
}

// uncordoned returns a copy of the node without its cordon and the taints of an unhealthy node.
func uncordoned(n *corev1.Node) *corev1.Node {
	n = n.DeepCopy()
	n.Spec.Unschedulable = false
	n.Spec.Taints = slices.DeleteFunc(n.Spec.Taints, func(t corev1.Taint) bool { return strings.HasPrefix(t.Key, "node.kubernetes.io/") })
	return n
}
