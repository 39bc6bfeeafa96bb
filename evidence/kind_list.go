package evidence

import (
	"reflect"
	"slices"
	"strings"
)

// keeping says how a list of Es is kept. The zero value: items are kept as they were read.
type keeping[E any] struct {
	// key tells items apart, and orders them; nil: there are no doubles that it could tell.
	key func(*E) []string
	// partial reports that an item was read in part: one that was read in full takes its place.
	partial func(*E) bool
	// by orders the items, where the key does not.
	by func(*E) []string
	// asRead: the order is that of the source, or Data.Sort makes it.
	asRead bool
	// settle makes an item of a bundle whole again; false: it holds nothing.
	settle func(*Templates, *E) bool
}

// source is a kind of objects that a list is made of.
type source[E any] struct {
	*Object
	add func(list *[]*E, t *Templates, obj any)
}

// from is a source whose objects are one item each, made of the object, which it takes over.
func from[T, E any](o Object, item func(*Templates, *T) *E) source[E] {
	o.typ, o.create = reflect.TypeFor[*T](), func() any { return new(T) }
	return source[E]{&o, func(list *[]*E, t *Templates, obj any) { *list = append(*list, item(t, obj.(*T))) }}
}

// fromEach is a source whose objects are several items each.
func fromEach[T, E any](o Object, items func(*T) []*E) source[E] {
	o.typ, o.create = reflect.TypeFor[*T](), func() any { return new(T) }
	return source[E]{&o, func(list *[]*E, _ *Templates, obj any) { *list = append(*list, items(obj.(*T))...) }}
}

// alone is an item that shares nothing with others.
func alone[T, E any](item func(*T) *E) func(*Templates, *T) *E {
	return func(_ *Templates, obj *T) *E { return item(obj) }
}

// kept is an object that stays what it is, but for what trim leaves out.
func kept[T any](trim func(*T)) func(*Templates, *T) *T {
	return func(_ *Templates, obj *T) *T {
		trim(obj)
		return obj
	}
}

// listOf is the list of one field of Data.
func listOf[E any](section string, field func(*Data) *[]*E, keep keeping[E], sources ...source[E]) List {
	l := List{
		Section: section,
		create:  func() any { return new(E) },
		items: func(d *Data) []any {
			all := *field(d)
			out := make([]any, len(all))
			for i, o := range all {
				out[i] = o
			}
			return out
		},
		restore: func(d *Data, t *Templates, item any) {
			if o := item.(*E); keep.settle == nil || keep.settle(t, o) {
				list := field(d)
				*list = append(*list, o)
			}
		},
	}
	for _, s := range sources {
		s.Object.add = func(d *Data, t *Templates, obj any) { s.add(field(d), t, obj) }
		l.Objects = append(l.Objects, s.Object)
	}
	if keep.key != nil {
		l.once = func(d *Data) { list := field(d); *list = once(*list, keep.key, keep.partial) }
	}
	if keep.by == nil {
		keep.by = keep.key
	}
	if !keep.asRead {
		l.order = func(d *Data) { orderBy(*field(d), keep.by) }
	}
	return l
}

// once keeps the best of those with one key, in the place of the first.
func once[E any](list []*E, key func(*E) []string, partial func(*E) bool) []*E {
	at := make(map[string]int, len(list))
	out := list[:0]
	for _, o := range list {
		k := strings.Join(key(o), "/")
		i, double := at[k]
		switch {
		case !double:
			at[k] = len(out)
			out = append(out, o)
		case partial == nil || partial(out[i]) || !partial(o):
			out[i] = o
		}
	}
	clear(list[len(out):])
	return out
}

// orderBy sorts a list by words, and leaves those with the same words in their order.
func orderBy[E any](list []*E, words func(*E) []string) {
	known := make(map[*E][]string, len(list))
	for _, o := range list {
		known[o] = words(o)
	}
	slices.SortStableFunc(list, func(a, b *E) int { return slices.Compare(known[a], known[b]) })
}
