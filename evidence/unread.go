package evidence

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Everything stands for all kinds in a Gap: any of them may have more objects than were read.
const Everything Kind = "everything"

// unread indexes the gaps by the kind that was not wholly read.
func unread(gaps []Gap) map[Kind][]Gap {
	out := map[Kind][]Gap{}
	for _, g := range gaps {
		if g.Kind != "" {
			out[g.Kind] = append(out[g.Kind], g)
		}
	}
	return out
}

// Incomplete returns the gaps of those kinds of which more exists, or may exist, than was read: a list that ended before its
// end, or that was refused. A kind of which the source was never asked, as in a pasted fragment, has none.
//
// No answer may rest on the absence of something from such a kind.
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

// Read reports whether something of the kind was read, and nothing says that more exists: what is not in the evidence may be taken
// for absent as far as the source goes.
func (s *Snapshot) Read(k Kind) bool { return s.Covers(k) != NotRead && len(s.Incomplete(k)) == 0 }

// Unread is Incomplete, with a gap for each kind of which the evidence has nothing and does not say why.
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

// Title is what could not be read, with its kind: a gap may name the file only.
func (g Gap) Title() string {
	if g.Kind == "" || g.Kind == Everything || strings.HasPrefix(g.What, string(g.Kind)) {
		return g.What
	}
	return string(g.Kind) + " (" + g.What + ")"
}

// Saved is the command that prints all objects of the kind; "" for what is no object of the API.
func (k Kind) Saved() shell.Text {
	if !k.OfAPI() {
		return ""
	}
	return shell.Format("kubectl get {resources} -A -o json", k.Resources())
}
