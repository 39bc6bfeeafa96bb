package redact

import (
	"reflect"
	"strings"
)

// Object redacts the strings of a value in place, by field name or key, and by content. The value is a pointer, map or
// slice. Bytes stay unchanged.
func (r *Redactor) Object(v any) {
	w := walk{r, map[shared]bool{}, map[string]*name{}}
	if top := reflect.ValueOf(v); top.IsValid() && textual(top.Type()) {
		w.object(top, "", 0)
	}
}

const (
	maxDepth = 60 // of nested values
	ofLists  = 4  // depth of object lists, in which each object occurs once
)

// walk processes one value. It processes shared parts, such as pod templates, once.
type walk struct {
	*Redactor
	seen map[shared]bool
	keys map[string]*name // the name of each key; nil: none
}

// shared is the target of a pointer or map.
type shared struct {
	at uintptr
	of reflect.Type
}

// again reports whether the target of the pointer or map was already processed.
func (r *walk) again(v reflect.Value, depth int) bool {
	if depth <= ofLists {
		return false
	}
	what := shared{v.Pointer(), v.Type()}
	before := r.seen[what]
	r.seen[what] = true
	return before
}

// object redacts the settable parts of v under the key. Its type may contain texts.
func (r *walk) object(v reflect.Value, key string, depth int) {
	if depth > maxDepth {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !r.again(v, depth) {
			r.object(v.Elem(), key, depth+1)
		}
	case reflect.Interface:
		r.inner(v, key, depth)
	case reflect.String:
		r.string(v, key)
	case reflect.Slice, reflect.Array:
		r.list(v, key, depth)
	case reflect.Map:
		if !r.again(v, depth) {
			r.mapped(v, depth)
		}
	case reflect.Struct:
		r.fields(v, key, depth)
	}
}

func (r *walk) string(v reflect.Value, key string) {
	s := v.String()
	if len(s) < 2 || !v.CanSet() {
		return
	}
	if out := r.field(key, s); out != s {
		v.SetString(out)
	}
}

// inner redacts the value of an interface. A string in it cannot be changed in place.
func (r *walk) inner(v reflect.Value, key string, depth int) {
	switch inner := v.Elem(); {
	case v.IsNil():
	case inner.Kind() == reflect.String && v.CanSet():
		if out := r.field(key, inner.String()); out != inner.String() {
			v.Set(reflect.ValueOf(out).Convert(inner.Type()))
		}
	case textual(inner.Type()):
		r.object(inner, key, depth+1)
	}
}

// list redacts the elements of a list. In a list of arguments, the value of a flag is the next element.
func (r *walk) list(v reflect.Value, key string, depth int) {
	for i := range v.Len() {
		e := v.Index(i)
		if e.Kind() == reflect.String && e.CanSet() && followsFlag(v, i) && !placeholder(e.String()) {
			e.SetString(r.hide("password", e.String()))
			continue
		}
		r.object(e, key, depth+1)
	}
}

// followsFlag reports whether the list element follows the flag of a secret.
func followsFlag(list reflect.Value, i int) bool {
	return i > 0 && flagOfSecret(list.Index(i-1).String())
}

func (r *walk) fields(v reflect.Value, key string, depth int) {
	for _, f := range fieldsOf(v.Type()) {
		name := key
		if f.name != "" {
			name = f.name
		}
		r.object(v.Field(f.index), name, depth+1)
	}
}

func (r *walk) mapped(v reflect.Value, depth int) {
	for _, k := range v.MapKeys() {
		key := ""
		if k.Kind() == reflect.String {
			key = k.String()
		}
		value := v.MapIndex(k)
		if value.Kind() == reflect.Interface && !value.IsNil() {
			value = value.Elem()
		}
		if value.Kind() == reflect.String {
			if s := value.String(); s != "" {
				if out := r.field(key, s); out != s {
					v.SetMapIndex(k, reflect.ValueOf(out).Convert(value.Type()))
				}
			}
			continue
		}
		if value.Kind() == reflect.Struct { // a map value cannot be changed in place
			fresh := reflect.New(value.Type()).Elem()
			fresh.Set(value)
			r.object(fresh, key, depth+1)
			v.SetMapIndex(k, fresh)
			continue
		}
		if textual(value.Type()) {
			r.object(value, key, depth+1)
		}
	}
}

// nameOf is nameOfKey, cached by key.
func (r *walk) nameOf(key string) *name {
	n, ok := r.keys[key]
	if !ok {
		n = nameOfKey(key)
		r.keys[key] = n
	}
	return n
}

// field returns the redacted text under the key.
func (r *walk) field(key, s string) string {
	if strings.HasSuffix(key, "last-applied-configuration") && !hidden(s) {
		return r.hide("applied-configuration", s)
	}
	if n := r.nameOf(key); n != nil && !n.spares(value{0, len(s), quoted}, s) {
		return r.hide(n.kind, s)
	}
	if len(s) < 8 || !suspicious(s) && !hasRuns(s) && !r.emails {
		return s
	}
	if isDocument(s) {
		return string(r.json([]byte(s), 1))
	}
	return r.Text(s)
}
