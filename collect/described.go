package collect

import "github.com/nodetriage/nodetriage/evidence"

// nameDescribed gives matches in the fields of a description to the node or pod that it describes.
func nameDescribed(d *evidence.Data, described map[*evidence.Match]string) {
	type place struct{ source, name string }
	about := map[place]evidence.Subject{}
	for _, n := range d.Nodes {
		about[place{n.Ref.Source, n.Name}] = n.Subject()
	}
	for _, p := range d.Pods {
		at := place{p.Ref.Source, p.Name}
		if known, ok := about[at]; ok && known != p.Subject() { // which of them is described is not known
			about[at] = evidence.Subject{}
			continue
		}
		about[at] = p.Subject()
	}
	for m, name := range described {
		if m.Subject.IsZero() {
			m.Subject = about[place{m.Ref.Source, name}]
		}
	}
}
