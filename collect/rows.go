package collect

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// nameRows says of matches in rows of pasted tables of pods which pod they are of: a row begins with its name, or with its
// namespace and its name. Where one match stands for several rows, it is of none.
func nameRows(d *evidence.Data) {
	byName := map[string][]*evidence.Pod{}
	for _, p := range d.Pods {
		byName[p.Name] = append(byName[p.Name], p)
	}
	if len(byName) == 0 {
		return
	}
	for _, m := range d.Matches {
		if !m.Subject.IsZero() || m.Count > 1 || m.Event != nil {
			continue
		}
		if p := rowOf(strings.Fields(m.Ref.Text), byName); p != nil {
			m.Subject = evidence.PodSubject(p.Namespace, p.Name)
		}
	}
}

// rowOf is the one pod of whose row these are the fields.
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
