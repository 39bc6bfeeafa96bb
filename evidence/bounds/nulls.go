package bounds

import (
	"reflect"
	"sync"
)

// dropNulls removes nil pointers from lists and maps of the decoded value: "earlier": [null]. Code that reads a list of
// pointers assumes that none is nil.
func dropNulls(into any) {
	v := reflect.ValueOf(into)
	if v.IsValid() && holdsPointers(v.Type()) {
		drop(v)
	}
}

func drop(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			drop(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && holdsPointers(v.Field(i).Type()) {
				drop(v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			drop(v.Index(i))
		}
	case reflect.Slice:
		dropItems(v)
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if item := v.MapIndex(key); isNil(item) {
				v.SetMapIndex(key, reflect.Value{})
			} else if item.Kind() != reflect.Struct { // a map holds it by value, so it cannot be changed in place
				drop(item)
			}
		}
	}
}

func dropItems(v reflect.Value) {
	kept := 0
	for i := range v.Len() {
		item := v.Index(i)
		if isNil(item) {
			continue
		}
		drop(item)
		if kept < i {
			v.Index(kept).Set(item)
		}
		kept++
	}
	if kept < v.Len() {
		v.Set(v.Slice(0, kept))
	}
}

func isNil(v reflect.Value) bool { return v.Kind() == reflect.Pointer && v.IsNil() }

var pointerTypes sync.Map // reflect.Type -> bool

// holdsPointers reports whether a type contains a list or map of pointers. Most API types do not, so they are skipped.
func holdsPointers(typ reflect.Type) bool {
	if known, ok := pointerTypes.Load(typ); ok {
		return known.(bool)
	}
	holds := searchPointers(typ, map[reflect.Type]bool{})
	pointerTypes.Store(typ, holds)
	return holds
}

func searchPointers(typ reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[typ] {
		return false
	}
	seen[typ] = true
	switch typ.Kind() {
	case reflect.Pointer, reflect.Array:
		return searchPointers(typ.Elem(), seen)
	case reflect.Slice, reflect.Map:
		return typ.Elem().Kind() == reflect.Pointer || searchPointers(typ.Elem(), seen)
	case reflect.Struct:
		for field := range fieldsOf(typ) {
			if field.IsExported() && searchPointers(field.Type, seen) {
				return true
			}
		}
	}
	return false
}
