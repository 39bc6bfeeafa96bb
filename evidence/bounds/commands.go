package bounds

import (
	"reflect"
	"sync"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// dropCommands clears every shell.Text of a decoded document. Commands in an untrusted document come from its author,
// and users paste values of this type.
func dropCommands(into any) {
	if v := reflect.ValueOf(into); v.IsValid() && holdsCommands(v.Type()) {
		dropText(v)
	}
}

func dropText(v reflect.Value) {
	if v.Type() == textType && v.CanSet() {
		v.SetString("")
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			dropText(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && holdsCommands(v.Field(i).Type()) {
				dropText(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			dropText(v.Index(i))
		}
	case reflect.Map: // its values cannot be changed in place
		v.SetZero()
	}
}

var (
	textType     = reflect.TypeFor[shell.Text]()
	commandTypes sync.Map // reflect.Type -> bool
)

// holdsCommands reports whether a type contains a shell.Text. API types do not, so they are skipped.
func holdsCommands(typ reflect.Type) bool {
	if known, ok := commandTypes.Load(typ); ok {
		return known.(bool)
	}
	found := findText(typ, map[reflect.Type]bool{})
	commandTypes.Store(typ, found)
	return found
}

func findText(typ reflect.Type, seen map[reflect.Type]bool) bool {
	if typ == textType || seen[typ] {
		return typ == textType
	}
	seen[typ] = true
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return findText(typ.Elem(), seen)
	case reflect.Map:
		return findText(typ.Key(), seen) || findText(typ.Elem(), seen)
	case reflect.Struct:
		for f := range fieldsOf(typ) {
			if f.IsExported() && findText(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
