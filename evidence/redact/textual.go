package redact

import (
	"reflect"
	"sync"
	"time"
)

// known caches whether types contain strings.
var known sync.Map

// textual reports whether a value of the type may contain untrusted text.
func textual(t reflect.Type) bool {
	if is, ok := known.Load(t); ok {
		return is.(bool)
	}
	is := holdsText(t, map[reflect.Type]bool{})
	known.Store(t, is)
	return is
}

// textField is an exported struct field that may contain a text.
type textField struct {
	index int
	name  string // empty: embedded, its fields belong to the struct
}

// textFields caches fields of structs because reflection is slow and a big cluster has many pods.
var textFields sync.Map

func fieldsOf(t reflect.Type) []textField {
	if list, ok := textFields.Load(t); ok {
		return list.([]textField)
	}
	var list []textField
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case !f.IsExported() || f.Name == "UID" || !textual(f.Type):
		case f.Anonymous:
			list = append(list, textField{index: i})
		default:
			list = append(list, textField{index: i, name: f.Name})
		}
	}
	textFields.Store(t, list)
	return list
}

var timeType = reflect.TypeFor[time.Time]()

func holdsText(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || t == timeType {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.String, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Array:
		return holdsText(t.Elem(), seen)
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8 && holdsText(t.Elem(), seen)
	case reflect.Map:
		return holdsText(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && holdsText(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
