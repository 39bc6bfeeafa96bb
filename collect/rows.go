package collect

import (
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// objectRow matches a kubectl get row of a pod, node or event. For an event, it captures the involved object.
var objectRow = lazyregexp.New(`^\s*(?:((?:[a-z0-9-]+\s+)?[a-z0-9][a-z0-9.-]*)\s+\d+/\d+\s+[A-Z][\w:/.-]*\s+\d|([a-z0-9][a-z0-9.-]*)\s+(?:NotReady|Ready|Unknown)[\w,]*\s+\S+\s+\d+[smhdy]|(?:[a-z0-9-]+\s+)?\S{2,20}\s+(?:Normal|Warning)\s+\w+\s+([a-z]+/[a-z0-9.-]+)\s)`)

// rowName returns the object of a row: its namespace, if the row has one, and its name; empty if the line is no such row.
func rowName(line string) string {
	m := objectRow.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return strings.Join(strings.Fields(m[1]+" "+m[2]+" "+m[3]), " ")
}

// nameRows assigns matches in pasted tables of pods and nodes to their objects. A row begins with the name of the object, or with
// its namespace and name. A match for several rows is assigned to none.
func nameRows(d *evidence.Data) {
	pods := sync.OnceValue(func() map[string][]*evidence.Pod { // few kinds of evidence have such matches
		out := map[string][]*evidence.Pod{}
		for _, p := range d.Pods {
			out[p.Name] = append(out[p.Name], p)
		}
		return out
	})
	nodes := map[string]bool{}
	for _, n := range d.Nodes {
		nodes[n.Name] = true
	}
	if len(d.Pods)+len(nodes) == 0 {
		return
	}
	for _, m := range d.Matches {
		if !m.Subject.IsZero() || m.Count > 1 || m.Event != nil {
			continue
		}
		fields := strings.Fields(m.Ref.Text)
		if p := rowOf(fields, pods()); p != nil {
			m.Subject = evidence.PodSubject(p.Namespace, p.Name)
		} else if name := rowName(m.Ref.Text); name != "" && nodes[name] {
			m.Subject = evidence.NodeSubject(name)
		}
	}
}

// rowOf returns the only pod whose row has these fields.
func rowOf(fields []string, byName map[string][]*evidence.Pod) *evidence.Pod {
	for i := range min(len(fields), 2) {
		list := byName[fields[i]]
		if i == 0 && len(list) == 1 {
			return list[0]
		}
		if i == 1 {
			for _, p := range list {
				if p.Namespace == fields[0] {
					return p
				}
			}
		}
	}
	return nil
}
