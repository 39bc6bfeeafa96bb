package collect

import (
	"cmp"
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
			l.Subject = h.subjectOf(l.Ref.Source)
		}
	}
	for _, m := range d.Matches {
		h.nameMatch(m)
	}
	for _, r := range d.NodeReports {
		h.nameReport(r, owners)
	}
	for _, k := range d.Kubelets {
		k.Node = cmp.Or(h.node(k.Node), k.Node)
	}
}

func (h hosts) nameMatch(m *evidence.Match) {
	switch {
	case m.Subject.Kind == "Node":
		node := h.node(m.Subject.Name)
		if node == "" {
			node = h.ofPath(m.Ref.Source)
		}
		m.Subject.Name = cmp.Or(node, m.Subject.Name)
	case m.Subject.IsZero():
		m.Subject = h.subjectOf(m.Ref.Source)
	}
}

// subjectOf returns the node that the path of a text names, or the zero subject.
func (h hosts) subjectOf(path string) evidence.Subject {
	if node := h.ofPath(path); node != "" {
		return evidence.NodeSubject(node)
	}
	return evidence.Subject{}
}

func (h hosts) nameReport(r *nodereport.Report, owners map[string]string) {
	if r.Node == "" {
		r.Node = owners[r.Source]
	}
	if r.Node == "" {
		r.Node = h.ofPath(r.Source)
	} else {
		r.Node = cmp.Or(h.node(r.Node), r.Node)
	}
	for _, e := range r.Earlier {
		if e != nil {
			e.Node = cmp.Or(h.node(e.Node), e.Node)
		}
	}
}
