package evidence

import (
	"reflect"
	"slices"
	"strings"
)

// keeping configures a list of Es. The zero value keeps items as they were read.
type keeping[E any] struct {
	// key identifies and orders items; nil: there are no duplicates to detect.
	key func(*E) []string
	// partial reports that an item is partial. A complete item replaces it.
	partial func(*E) bool
	// by orders the items, if key does not.
	by func(*E) []string
	// asRead: the order is that of the source, or Data.Sort orders it.
	asRead bool
	// settle completes an item from a bundle; false: it is empty.
	settle func(*Templates, *E) bool
}

// source is a kind of API objects for a list.
type source[E any] struct {
	*Object
	add func(list *[]*E, t *Templates, obj any)
}

// from returns a source that converts each object to one item. The item takes ownership of the object.
func from[T, E any](o Object, item func(*Templates, *T) *E) source[E] {
	o.typ, o.create = reflect.TypeFor[*T](), func() any { return new(T) }
	return source[E]{&o, func(list *[]*E, t *Templates, obj any) { *list = append(*list, item(t, obj.(*T))) }}
}

// fromEach returns a source that converts each object to several items.
func fromEach[T, E any](o Object, items func(*T) []*E) source[E] {
	o.typ, o.create = reflect.TypeFor[*T](), func() any { return new(T) }
	return source[E]{&o, func(list *[]*E, _ *Templates, obj any) { *list = append(*list, items(obj.(*T))...) }}
}

// alone returns a conversion without shared data.
func alone[T, E any](item func(*T) *E) func(*Templates, *T) *E {
	return func(_ *Templates, obj *T) *E { return item(obj) }
}

// kept returns a conversion that only trims the object.
func kept[T any](trim func(*T)) func(*Templates, *T) *T {
	return func(_ *Templates, obj *T) *T {
		trim(obj)
		return obj
	}
}

// listOf returns the list of one field of Data.
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
		s.Object.convert = func(t *Templates, obj any) any {
			var items []*E
			s.add(&items, t, obj)
			if len(items) == 1 { // nearly always, and a store keeps one for each object
				return items[0]
			}
			return items
		}
		s.Object.put = func(d *Data, items any) {
			list := field(d)
			switch items := items.(type) {
			case *E:
				*list = append(*list, items)
			case []*E:
				*list = append(*list, items...)
			}
		}
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

// once keeps the best item per key, at the position of the first.
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

// orderBy sorts a list by words. It is stable.
func orderBy[E any](list []*E, words func(*E) []string) {
	known := make(map[*E][]string, len(list))
	for _, o := range list {
		known[o] = words(o)
	}
	slices.SortStableFunc(list, func(a, b *E) int { return slices.Compare(known[a], known[b]) })
}
