package collect

import "github.com/nodetriage/nodetriage/evidence"

// nameDescribed assigns matches in a description to the node or pod that it describes, if only one has that name.
func nameDescribed(d *evidence.Data, described map[*evidence.Match]string) {
	if len(described) == 0 {
		return
	}
	about := map[string]evidence.Subject{}
	saw := func(name string, s evidence.Subject) {
		if known, ok := about[name]; ok && known != s {
			s = evidence.Subject{} // the name is ambiguous
		}
		about[name] = s
	}
	for _, n := range d.Nodes {
		saw(n.Name, n.Subject())
	}
	for _, p := range d.Pods {
		saw(p.Name, p.Subject())
	}
	for m, name := range described {
		if m.Subject.IsZero() {
			m.Subject = about[name]
		}
	}
}
