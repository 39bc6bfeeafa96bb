package collect

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// maxAside bounds the names of texts in a gap.
const maxAside = 3

// instead maps a class of text without state to a hint on what to collect.
var instead = map[textclass.Class]shell.Text{
	textclass.Prose: "add what the cluster and the node show, for example: kubectl describe node",
}

// unreadKind is a kind of text that reports no state. If kept is set, a bundle holds these texts, so reading the bundle finds them
// again.
type unreadKind struct {
	textclass.Kind
	kept bool
}

// aside records a text that is not read as evidence because it reports no state.
func (b *Builder) aside(name string, kind textclass.Kind) {
	b.noteUnread(name, unreadKind{kind, false})
}

func (b *Builder) noteUnread(name string, kind unreadKind) {
	b.note(func(*evidence.Data, *evidence.Templates) {
		if b.unread == nil {
			b.unread = map[unreadKind][]string{}
		}
		if names := b.unread[kind]; !slices.Contains(names, name) {
			b.unread[kind] = append(names, name)
		}
	})
}

// withoutComments removes the comments of a configuration: they can look like any table. Other texts pass unchanged.
func withoutComments(of textclass.Kind, r io.Reader) io.Reader {
	if of.MayReportState() {
		return r
	}
	look := func(text []byte) bool { return bytes.IndexByte(text, '#') >= 0 || bytes.IndexByte(text, ';') >= 0 }
	return newLineFilter(r, look, func(line []byte) []byte {
		if start := bytes.TrimLeft(line, " \t"); len(start) > 0 && (start[0] == '#' || start[0] == ';') {
			return lineEnd(line)
		}
		return line
	})
}

// tellAside adds gaps for the texts that are not read as evidence. The builder's lock is held.
func (b *Builder) tellAside() {
	byName := func(a, b unreadKind) int {
		if a.Name == b.Name && a.kept != b.kept && a.kept {
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	}
	for _, kind := range slices.SortedFunc(maps.Keys(b.unread), byName) {
		names := b.unread[kind]
		slices.Sort(names)
		what := strings.Join(names[:min(len(names), maxAside)], ", ")
		if more := len(names) - maxAside; more > 0 {
			what += fmt.Sprintf(" and %d more", more)
		}
		b.addGap(evidence.Gap{What: wording.Cut(b.door.clean(what), maxName), Why: kind.Name + ": not read as evidence because it reports no state", How: instead[kind.Class], OfText: kind.kept})
	}
}
