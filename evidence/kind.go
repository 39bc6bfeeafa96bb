package evidence

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Kind names a kind of evidence in Coverage and in the needs of rules.
type Kind string

// Row describes one kind of evidence. Code that reads, writes, lists or names kinds iterates over Kinds.
type Row struct {
	Kind Kind
	// Word is the plural name for display.
	Word string
	// Ask are the resource names for kubectl, if they differ from those of all its objects.
	Ask string
	// Rank orders missing kinds in a report: from 1, the kind that most rules need; 0: last.
	Rank int
	// Always: every cluster has objects of this kind, so an empty list means that nothing was read.
	Always bool
	// Lists are the lists of Data with this kind, each one file of a bundle. A kind without lists comes from texts.
	Lists []List
	// Present reports whether data has any of a kind that is not an API object; nil: Coverage shows it.
	Present func(*Data) bool
}

// Object is one kind of API objects.
type Object struct {
	Kind string // "CSIDriver"
	// Names are the names of its lists in the API, followed by file names that tools use.
	Names []string
	// Groups are the API groups of the kind, the current one first. Other groups use the same name for other kinds. ""
	// is the core group.
	Groups []string
	// ClusterWide: cluster-scoped.
	ClusterWide bool
	// Beside: its kind of evidence is complete without it.
	Beside bool
	// Copied: the evidence has no reference to the memory of the object, so the decoder may reuse it.
	Copied bool
	// Survey is how a survey of the whole cluster reads it.
	Survey Survey

	of     Kind
	typ    reflect.Type
	create func() any
	add    func(*Data, *Templates, any)
	// convert and put are add in two steps; nil: the items of one object cannot be told apart.
	convert func(*Templates, any) any
	put     func(*Data, any)
}

// Survey is how a survey of the whole cluster reads a kind of objects.
type Survey int

// The zero value is for objects that the survey reads in another way.
const (
	Apart Survey = iota
	All          // all objects
	Few          // the first pages: normal clusters have few
)

// List is one list of Data.
type List struct {
	Section string // file name in a bundle
	Objects []*Object

	kind    Kind
	create  func() any
	items   func(*Data) []any
	restore func(*Data, *Templates, any)
	once    func(*Data) // removes duplicates; nil: there are none, or their content identifies them
	order   func(*Data) // nil: in the order of reading, or Data.Sort orders it
}

// Kinds returns all kinds of evidence, in the order of their files in a bundle.
func Kinds() []*Row { return index().list }

// Row returns the row of the kind, or nil.
func (k Kind) Row() *Row { return index().rows[k] }

// OfAPI reports whether the kind consists of API objects.
func (k Kind) OfAPI() bool {
	r := k.Row()
	return r != nil && r.Present == nil
}

// Word returns the display name of the kind.
func (k Kind) Word() string {
	if r := k.Row(); r != nil {
		return r.Word
	}
	return string(k)
}

// Resources returns the kubectl resource names of the kind, separated by commas.
func (k Kind) Resources() string {
	r := k.Row()
	if r == nil {
		return string(k)
	}
	if r.Ask != "" {
		return r.Ask
	}
	var names []string
	for _, o := range r.Objects() {
		names = append(names, o.Names[0])
	}
	return cmp.Or(strings.Join(names, ","), string(k))
}

// Objects returns the kinds of API objects in this kind of evidence.
func (r *Row) Objects() []*Object {
	var out []*Object
	for _, l := range r.Lists {
		out = append(out, l.Objects...)
	}
	return out
}

// Of returns the kind of evidence of the objects.
func (o *Object) Of() Kind { return o.of }

// New returns an empty object for any version because the used fields have the same names in all versions.
func (o *Object) New() any { return o.create() }

// Resource returns the name in RBAC rules and kubectl: "csidrivers.storage.k8s.io".
func (o *Object) Resource() string {
	return strings.TrimSuffix(o.Names[0]+"."+o.Groups[0], ".")
}

// In reports whether the apiVersion belongs to this kind. An empty version is accepted.
func (o *Object) In(apiVersion string) bool {
	group, _, named := strings.Cut(apiVersion, "/")
	if !named {
		group = ""
	}
	return apiVersion == "" || slices.Contains(o.Groups, group)
}

// Items are the items of one API object, ready for the Data of any number of Snapshots.
type Items struct {
	of    *Object
	items any // *E of the kind's list, or []*E
}

// Convert trims an API object for Data.Put. It takes ownership of the object. The zero Items are those of an object that is not
// supported.
func (t *Templates) Convert(obj any) Items {
	o := index().types[reflect.TypeOf(obj)]
	if o == nil || o.convert == nil {
		return Items{}
	}
	return Items{o, o.convert(t, obj)}
}

// Put adds converted items.
func (d *Data) Put(i Items) {
	if !i.Empty() {
		i.of.put(d, i.items)
	}
}

// Empty reports whether the items are the zero Items.
func (i Items) Empty() bool { return i.of == nil }

// First returns the first item: a *Node, a *Pod; nil: none.
func (i Items) First() any {
	if i.Empty() {
		return nil
	}
	list := reflect.ValueOf(i.items)
	switch {
	case list.Kind() != reflect.Slice:
		return i.items
	case list.Len() == 0:
		return nil
	}
	return list.Index(0).Interface()
}

// ObjectOf returns the kind of objects with this name ("CSIDriver"); nil: not supported.
func ObjectOf(kind string) *Object { return index().objects[kind] }

// ObjectNamed returns the kind of objects with this list or file name ("csidrivers"); nil: none.
func ObjectNamed(name string) *Object { return index().named[name] }

// ListNamed returns the list of the bundle file with this name.
func ListNamed(section string) *List { return index().lists[section] }

// Add adds a trimmed API object and returns its kind of evidence; "" if it is not supported. Data takes ownership of
// the object.
func (d *Data) Add(t *Templates, obj any) Kind {
	o := index().types[reflect.TypeOf(obj)]
	if o == nil {
		return ""
	}
	o.add(d, t, obj)
	return o.of
}

// Kind returns the kind of evidence in the list.
func (l *List) Kind() Kind { return l.kind }

// New returns an empty item.
func (l *List) New() any { return l.create() }

// Items returns the items in order.
func (l *List) Items(d *Data) []any { return l.items(d) }

// Restore adds an item from a bundle.
func (l *List) Restore(d *Data, t *Templates, item any) { l.restore(d, t, item) }

// DropDoubles removes duplicate objects: dumps have many twice, in a list and alone, or as a table and in full. A
// complete object replaces a partial one; among equals the later one wins.
func (d *Data) DropDoubles() {
	for _, r := range Kinds() {
		for _, l := range r.Lists {
			if l.once != nil {
				l.once(d)
			}
		}
	}
}

// Order makes the order of lists independent of the reading order. Sort orders nodes, pods and events.
func (d *Data) Order() {
	for _, r := range Kinds() {
		for _, l := range r.Lists {
			if l.order != nil {
				l.order(d)
			}
		}
	}
}

// table indexes Kinds by all names.
type table struct {
	list    []*Row
	rows    map[Kind]*Row
	objects map[string]*Object
	named   map[string]*Object
	types   map[reflect.Type]*Object
	lists   map[string]*List
}

var index = sync.OnceValue(func() *table {
	t := &table{kinds(), map[Kind]*Row{}, map[string]*Object{}, map[string]*Object{}, map[reflect.Type]*Object{}, map[string]*List{}}
	for _, r := range t.list {
		t.rows[r.Kind] = r
		for i := range r.Lists {
			l := &r.Lists[i]
			l.kind = r.Kind
			t.lists[l.Section] = l
			for _, o := range l.Objects {
				o.of = r.Kind
				t.objects[o.Kind], t.types[o.typ] = o, o
				for _, name := range o.Names {
					t.named[name] = o
				}
			}
		}
	}
	return t
})
