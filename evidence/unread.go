package evidence

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Everything means all kinds in a Gap: any of them may have more objects than were read.
const Everything Kind = "everything"

// unread indexes the gaps by kind.
func unread(gaps []Gap) map[Kind][]Gap {
	out := map[Kind][]Gap{}
	for _, g := range gaps {
		if g.Kind != "" {
			out[g.Kind] = append(out[g.Kind], g)
		}
	}
	return out
}

// Incomplete returns the gaps of kinds with possibly more objects than were read: a list that ended early or was
// forbidden. A kind that was never requested, as in a pasted fragment, has none.
//
// No conclusion may depend on the absence of an object of such a kind.
func (s *Snapshot) Incomplete(kinds ...Kind) []Gap {
	var out []Gap
	add := func(list []Gap) {
		for _, g := range list {
			if !slices.Contains(out, g) {
				out = append(out, g)
			}
		}
	}
	if len(kinds) > 0 {
		add(s.unread[Everything])
	}
	for _, k := range kinds {
		add(s.unread[k])
	}
	return out
}

// Read reports whether objects of the kind were read and no gap reports that more exist. A missing object may then
// count as absent, as far as the source goes.
func (s *Snapshot) Read(k Kind) bool { return s.Covers(k) != NotRead && len(s.Incomplete(k)) == 0 }

// Unread is Incomplete, plus a gap for each kind without evidence or explanation.
func (s *Snapshot) Unread(kinds ...Kind) []Gap {
	out := s.Incomplete(kinds...)
	for _, k := range kinds {
		said := len(s.unread[k])+len(s.unread[Everything]) > 0
		if s.Covers(k) == NotRead && !said {
			out = append(out, Gap{What: string(k), Why: "the evidence has none", How: k.Saved(), Kind: k})
		}
	}
	return out
}

// Title returns what could not be read, with its kind, because a gap may have only a file name.
func (g Gap) Title() string {
	if g.Kind == "" || g.Kind == Everything || strings.HasPrefix(g.What, string(g.Kind)) {
		return g.What
	}
	return string(g.Kind) + " (" + g.What + ")"
}

// Saved returns the command that prints all objects of the kind; "" for kinds that are not API objects.
func (k Kind) Saved() shell.Text {
	if !k.OfAPI() {
		return ""
	}
	return shell.Format("kubectl get {resources} -A -o json", k.Resources())
}
