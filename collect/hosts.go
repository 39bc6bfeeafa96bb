package collect

import (
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// hosts maps all names of a node to the node: its name, the first part of the name, addresses, and the cloud machine. An alias of
// several nodes maps to none.
type hosts map[string]string

func newHosts(nodes []*evidence.Node) hosts {
	h := hosts{}
	add := func(alias, node string) {
		if other, known := h[alias]; known && other != node {
			node = "" // ambiguous
		}
		if alias != "" {
			h[alias] = node
		}
	}
	for _, n := range nodes {
		first, _, _ := strings.Cut(n.Name, ".")
		add(first, n.Name)
		for _, a := range n.Node.Status.Addresses {
			add(a.Address, n.Name)
			add(strings.ReplaceAll(a.Address, ".", "_"), n.Name) // the form of crash-diagnostics
		}
		add(nodereport.SavedOf(n.Name), n.Name)
		if id := n.Spec.ProviderID; id != "" {
			add(path.Base(id), n.Name)
		}
	}
	for _, n := range nodes {
		h[n.Name] = n.Name // a full name is unique
	}
	return h
}

// node returns the node with that host name, or "" if it is unknown.
func (h hosts) node(host string) string {
	if node := h[host]; node != "" {
		return node
	}
	first, _, _ := strings.Cut(host, ".")
	return h[first]
}

// ofPath returns the node that a file or one of its folders is named after: worker-1/kubelet.log, worker-1.log,
// worker-1-kubelet.log.
func (h hosts) ofPath(name string) string {
	if ofCluster(name) {
		return ""
	}
	parts := strings.Split(name, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		part := parts[i]
		if node := h[part]; node != "" {
			return node
		}
		for end := len(part) - 1; end >= minHostName; end-- {
			if strings.IndexByte(".-_", part[end]) < 0 {
				continue
			}
			if node := h[part[:end]]; node != "" && strings.ContainsAny(part[:end], "0123456789-.") {
				return node
			}
		}
	}
	return ""
}

// minHostName is the minimum length at which the start of a file name may name a node.
const minHostName = 4

// nameHosts assigns lines, matches and reports of texts to the nodes that they or their paths name. owners maps names of texts to
// nodes.
func nameHosts(d *evidence.Data, owners map[string]string) {
	h := newHosts(d.Nodes)
	for _, r := range d.NodeReports { // the Node object may be deleted
		if r.Kind != "" && r.Node != "" && h.node(r.Node) == "" {
			h[r.Node], h[nodereport.SavedOf(r.Node)] = r.Node, r.Node
		}
	}
	for _, l := range d.Lines {
		if l.Subject.IsZero() {
			if node := h.ofPath(l.Ref.Source); node != "" {
				l.Subject = evidence.NodeSubject(node)
			}
		}
	}
	for _, m := range d.Matches {
		switch {
		case m.Subject.Kind == "Node":
			if node := h.node(m.Subject.Name); node != "" {
				m.Subject.Name = node
			} else if node := h.ofPath(m.Ref.Source); node != "" {
				m.Subject.Name = node
			}
		case m.Subject.IsZero():
			if node := h.ofPath(m.Ref.Source); node != "" {
				m.Subject = evidence.NodeSubject(node)
			}
		}
	}
	for _, r := range d.NodeReports {
		if r.Node == "" {
			r.Node = owners[r.Source]
		}
		if r.Node == "" {
			r.Node = h.ofPath(r.Source)
		} else if node := h.node(r.Node); node != "" {
			r.Node = node
		}
		for _, e := range r.Earlier {
			if e == nil {
				continue
			}
			if node := h.node(e.Node); node != "" {
				e.Node = node
			}
		}
	}
	for _, k := range d.Kubelets {
		if node := h.node(k.Node); node != "" {
			k.Node = node
		}
	}
}
