package paste

import (
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// addReports adds the output of tools on nodes. The prompt gives the machine and so the node; else the name of the file or its
// folder, if it is a node name. Output from containers is left out, unless the container is a node, as in kind.
func (t *Text) addReports(d *evidence.Data) {
	for _, r := range t.reports {
		switch {
		case r.host.inside != "":
			if r.Node = nodeNamed(d.Nodes, r.host.inside); r.Node == "" {
				continue
			}
		case r.host.name != "":
			if r.Node = nodeNamed(d.Nodes, r.host.name); r.Node == "" {
				r.Node = r.host.name
			}
		default:
			if r.Node = nodeOfPath(d.Nodes, r.file); r.Node == "" {
				r.Node = nodeOfPath(d.Nodes, t.name)
			}
		}
		d.NodeReports = append(d.NodeReports, r.Report)
	}
}

// nodeNamed returns the node with that name or address, or the only node whose name starts with it. Prompts show only the first
// part of a full name. It returns "" if there is none.
func nodeNamed(nodes []*evidence.Node, name string) string {
	found := ""
	for _, n := range nodes {
		if n.Name == name {
			return name
		}
		for _, a := range n.Node.Status.Addresses {
			if a.Address == name {
				return n.Name
			}
		}
		if host, _, full := strings.Cut(n.Name, "."); full && host == name {
			if found != "" && found != n.Name {
				return ""
			}
			found = n.Name
		}
	}
	return found
}

func nodeOfPath(nodes []*evidence.Node, file string) string {
	for part := file; part != "." && part != "/" && part != ""; part = path.Dir(part) {
		base := path.Base(part)
		for {
			for _, n := range nodes {
				if n.Name != "" && n.Name == base {
					return n.Name
				}
			}
			i := strings.LastIndexByte(base, '.')
			if i <= 0 {
				break
			}
			base = base[:i]
		}
	}
	return ""
}
