package collect

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/collect/layouts"
	"github.com/nodetriage/nodetriage/evidence"
)

// container is where documents are found: a folder, an archive, a stream. It holds what the documents show together, such as
// whether a list is complete and whose log a file is.
type container struct {
	builder *Builder
	up      *container
	packing *packing
	many    bool   // may hold more than one document
	prefix  string // of the names of the members
	path    string // of the container itself, for place
	bundle  *bundleReader

	damaged    bool // some content was not read
	seen       map[*layouts.Layout]bool
	lists      map[*layouts.Layout]map[listed]bool
	namespaces map[string]bool
	skipped    int // application logs
}

// listed is a list that was read to its end: of a kind, in a namespace or ("") in the whole cluster.
type listed struct{ kind, namespace string }

func (b *Builder) newContainer(up *container) *container {
	c := &container{builder: b, up: up, seen: map[*layouts.Layout]bool{}, lists: map[*layouts.Layout]map[listed]bool{}, namespaces: map[string]bool{}}
	if up == nil {
		c.packing = &packing{}
		b.Edit(func(*evidence.Data, *evidence.Templates) { b.inputs++ })
	} else {
		c.packing = up.packing
	}
	return c
}

// archive returns the container for the members of an archive. If there are several archives, the names of the files start with
// the name of theirs.
func (d document) archive() *container {
	c := d.from.builder.newContainer(d.from)
	c.many = true
	stem := d.name
	for stem != unpackedName(stem) {
		stem = unpackedName(stem)
	}
	stem = strings.TrimSuffix(strings.TrimSuffix(stem, ".tar"), ".zip")
	if d.from.many {
		c.prefix = stem + "/"
	}
	c.path = path.Join(d.from.path, stem)
	return c
}

// document returns a member of the container.
func (c *container) document(name string, nesting int) document {
	return document{name: boundName(c.prefix + name), path: path.Join(c.path, name), from: c, nesting: nesting}
}

// member reads a document of the container.
func (c *container) member(d document, r io.Reader) {
	switch {
	case c.bundle != nil:
		c.bundle.member(d, r)
	case path.Base(d.path) == bundle.ManifestName:
		c.readManifest(d, r)
	case hidden(d.path):
	default:
		c.builder.add(d, r)
	}
}

// saw records the layouts that a path is part of.
func (c *container) saw(d document) {
	for _, l := range layouts.All() {
		if l.Proof != nil && l.Proof.MatchString(d.path) {
			c.seen[l] = true
		}
	}
}

// listRead records that a list of a kind was read to its end, or (single) one object of a kind.
func (c *container) listRead(d document, kind string, single bool) {
	o := evidence.ObjectOf(kind)
	if o == nil {
		return
	}
	for _, l := range layouts.All() {
		for _, list := range l.Lists {
			if single && !list.Objects {
				continue
			}
			if ns, ok := listedAt(list, d.path, o); ok {
				c.noteList(l, listed{kind, ns})
			}
		}
	}
}

// listedAt returns the namespace whose objects of a kind a path lists completely, or "" for the whole cluster. It returns false
// for other paths.
func listedAt(list layouts.List, path string, o *evidence.Object) (ns string, ok bool) {
	m := list.Path.FindStringSubmatch(path)
	if m == nil || kindOfPath(m[list.Path.SubexpIndex("kind")]) != o.Kind {
		return "", false
	}
	if o.ClusterWide {
		return "", true
	}
	if at := list.Path.SubexpIndex("ns"); at >= 0 {
		ns = m[at]
	}
	return ns, ns != "" || list.Everywhere
}

func (c *container) noteList(l *layouts.Layout, list listed) {
	if c.lists[l] == nil {
		c.lists[l] = map[listed]bool{}
	}
	c.lists[l][list] = true
}

// finish adds what the documents show together.
func (c *container) finish() {
	b := c.builder
	if c.bundle != nil {
		c.bundle.finish()
		return
	}
	if c.skipped > 0 {
		b.Gap("logs of applications", fmt.Sprintf("not searched (%d): application logs contain little about nodes", c.skipped),
			"name the log of the pod that you suspect")
	}
	if c.damaged {
		return
	}
	for l := range c.seen {
		b.podsReadIn(c.lists[l])
		for _, kind := range wholeKinds(func(o *evidence.Object) bool { return c.whole(l, o) }) {
			b.Cover(kind, evidence.Complete)
		}
	}
}

// podsReadIn records the namespaces whose pod lists were read to their end.
func (b *Builder) podsReadIn(lists map[listed]bool) {
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for l := range lists {
			if l.kind == "Pod" && l.namespace != "" && !slices.Contains(d.PodsReadIn, l.namespace) {
				d.PodsReadIn = append(d.PodsReadIn, l.namespace)
			}
		}
	})
}

// whole reports whether the lists of a layout contain all objects of a kind: the cluster-wide list, or the list of each namespace.
func (c *container) whole(l *layouts.Layout, o *evidence.Object) bool {
	lists, kind := c.lists[l], o.Kind
	switch {
	case lists[listed{kind, ""}]:
		return true
	case kind == "Lease":
		return lists[listed{kind, "kube-node-lease"}]
	case o.ClusterWide || !lists[listed{"Namespace", ""}]:
		return false
	}
	for ns := range c.namespaces {
		if !lists[listed{kind, ns}] {
			return false
		}
	}
	return true
}

// wholeKinds returns the kinds of evidence with all their objects.
func wholeKinds(whole func(*evidence.Object) bool) []evidence.Kind {
	var out []evidence.Kind
	for _, r := range evidence.Kinds() {
		parts := slices.DeleteFunc(r.Objects(), func(o *evidence.Object) bool { return o.Beside })
		if len(parts) > 0 && !slices.ContainsFunc(parts, func(o *evidence.Object) bool { return !whole(o) }) {
			out = append(out, r.Kind)
		}
	}
	return out
}
