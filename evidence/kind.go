package evidence

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Kind names a class of evidence in Coverage and in the needs of rules.
type Kind string

// Row says everything about one kind of evidence. Whoever reads, writes, lists or names kinds loops over Kinds.
type Row struct {
	Kind Kind
	// Word is what people call it, in the plural.
	Word string
	// Ask are the names by which kubectl is asked for it, where these are not the names of all its objects.
	Ask string
	// Rank puts first what most rules need, where a report names what is missing: from 1; 0: after all these.
	Rank int
	// Always: a cluster that can be asked has some, so that an empty list says that nothing was read.
	Always bool
	// Lists are the lists of Data that hold it, each a file of a bundle. A kind without any is made of texts.
	Lists []List
	// Present reports whether data has any of a kind that is no object of the API; nil: Coverage says it.
	Present func(*Data) bool
}

// Object is one kind of objects of the API.
type Object struct {
	Kind string // "CSIDriver"
	// Names are those of its lists in the API, and then those that tools give files of it.
	Names []string
	// Groups are the API groups in which the kind is the one that is read here, the present one first; other groups give the
	// same name to other things. "" is the core group.
	Groups []string
	// ClusterWide: it has no namespace.
	ClusterWide bool
	// Beside: its kind of evidence is whole without it.
	Beside bool
	// Copied: what is kept of it has nothing of the object's own memory, so that the next ones may take its place.
	Copied bool
	// Survey is how a survey of the whole cluster reads it.
	Survey Survey

	of     Kind
	typ    reflect.Type
	create func() any
	add    func(*Data, *Templates, any)
}

// Survey is how a survey of the whole cluster reads a kind of objects.
type Survey int

// The zero value is for objects about which the survey asks in its own way.
const (
	Apart Survey = iota
	All          // all of them
	Few          // the first pages: any sane cluster has few
)

// List is one list of Data.
type List struct {
	Section string // name of its file in a bundle
	Objects []*Object

	kind    Kind
	create  func() any
	items   func(*Data) []any
	restore func(*Data, *Templates, any)
	once    func(*Data) // nil: doubles are none, or told by what they say
	order   func(*Data) // nil: it is kept as it was read, or Data.Sort orders it
}

// Kinds are all kinds of evidence, in the order of their files in a bundle.
func Kinds() []*Row { return index().list }

// Row returns what is known of the kind; nil: there is none of that name.
func (k Kind) Row() *Row { return index().rows[k] }

// OfAPI reports whether the kind is made of objects of the API.
func (k Kind) OfAPI() bool {
	r := k.Row()
	return r != nil && r.Present == nil
}

// Word is what people call the kind.
func (k Kind) Word() string {
	if r := k.Row(); r != nil {
		return r.Word
	}
	return string(k)
}

// Resources are the names by which kubectl knows the kind, separated by commas.
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

// Objects are the kinds of objects that the kind of evidence is made of.
func (r *Row) Objects() []*Object {
	var out []*Object
	for _, l := range r.Lists {
		out = append(out, l.Objects...)
	}
	return out
}

// Of is the kind of evidence that the objects belong to.
func (o *Object) Of() Kind { return o.of }

// New makes an empty object, whatever the version: the fields that are read here kept their names through the versions.
func (o *Object) New() any { return o.create() }

// Resource is the name in RBAC rules and kubectl: "csidrivers.storage.k8s.io".
func (o *Object) Resource() string {
	return strings.TrimSuffix(o.Names[0]+"."+o.Groups[0], ".")
}

// In reports whether the objects of that version are those that are read here; an empty one is taken on trust.
func (o *Object) In(apiVersion string) bool {
	group, _, named := strings.Cut(apiVersion, "/")
	if !named {
		group = ""
	}
	return apiVersion == "" || slices.Contains(o.Groups, group)
}

// ObjectOf returns the kind of objects of that name ("CSIDriver"); nil: nothing reads it.
func ObjectOf(kind string) *Object { return index().objects[kind] }

// ObjectNamed returns the kind of objects whose lists or files have that name ("csidrivers"); nil: there is none.
func ObjectNamed(name string) *Object { return index().named[name] }

// ListNamed returns the list that is kept in the file of a bundle of that name.
func ListNamed(section string) *List { return index().lists[section] }

// Add adds an object of the API, trimmed, and returns which kind of evidence it is; "" for objects that nothing reads. The
// object belongs to the data afterwards.
func (d *Data) Add(t *Templates, obj any) Kind {
	o := index().types[reflect.TypeOf(obj)]
	if o == nil {
		return ""
	}
	o.add(d, t, obj)
	return o.of
}

// Kind is the kind of evidence that the list holds.
func (l *List) Kind() Kind { return l.kind }

// New makes an empty item.
func (l *List) New() any { return l.create() }

// Items are those of the evidence, in their order.
func (l *List) Items(d *Data) []any { return l.items(d) }

// Restore puts an item back that was read from a bundle.
func (l *List) Restore(d *Data, t *Templates, item any) { l.restore(d, t, item) }

// DropDoubles leaves one of each object: dumps hold many twice, as part of a list and alone, or as a table and in full. What
// was read in full counts more than what was read in part; of equals the later.
func (d *Data) DropDoubles() {
	for _, r := range Kinds() {
		for _, l := range r.Lists {
			if l.once != nil {
				l.once(d)
			}
		}
	}
}

// Order makes the lists independent of the order in which they were read. Sort orders nodes, pods and events.
func (d *Data) Order() {
	for _, r := range Kinds() {
		for _, l := range r.Lists {
			if l.order != nil {
				l.order(d)
			}
		}
	}
}

// table is Kinds by all names.
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
