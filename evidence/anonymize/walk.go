package anonymize

import (
	"path"
	"reflect"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// Hide replaces the declared names in the evidence in place and returns its Snapshot. The caller must not use the
// evidence afterwards.
func (n *Names) Hide(d *evidence.Data) *evidence.Snapshot {
	n.seal()
	w := walker{seen: map[seenAt]int{}, text: n.field}
	w.value(reflect.ValueOf(d), "", 0)
	if d.Source.Kind != "cluster" {
		d.Source.Name = path.Base(d.Source.Name) // folder names contain people and projects
	}
	if d.Source.Bundle != "" {
		d.Source.Bundle = path.Base(d.Source.Bundle)
	}
	return evidence.New(*d)
}

// fixed are fields with Kubernetes or cloud terms, and generated IDs.
var fixed = map[string]bool{
	"UID": true, "Kind": true, "APIVersion": true, "APIGroup": true, "Reason": true, "LastReason": true, "Type": true, "Phase": true, "Signature": true, "Key": true, "Operation": true,
	"Operator": true, "Effect": true, "State": true, "Active": true, "Load": true, "Sub": true, "Result": true, "Speaker": true, "Gravity": true, "Provider": true, "Answer": true,
	"BootID": true, "Coverage": true, "KernelVersion": true, "KubeletVersion": true, "ContainerRuntimeVersion": true, "OSImage": true, "Version": true, "Component": true,
}

// named are fields that contain only a name.
var named = map[string]bool{"Name": true, "Namespace": true, "Node": true, "NodeName": true, "Host": true, "Hostname": true, "Holder": true, "VolumeName": true, "ClaimName": true}

// field returns the text of a field with aliases.
func (n *Names) field(name, s string) string {
	switch {
	case fixed[name]:
		return s
	case named[name]:
		return n.Of(s)
	}
	return n.Text(s)
}

// walker changes the texts of a value in place. It changes shared texts once.
type walker struct {
	seen map[seenAt]int // length of a list; 1 for other values
	text func(field, s string) string
}

type seenAt struct {
	at uintptr
	of reflect.Type
}

var timeType = reflect.TypeFor[time.Time]()

const deepest = 60 // maximum nesting

func (w *walker) value(v reflect.Value, field string, depth int) {
	if depth > deepest || !v.IsValid() || v.Type() == timeType {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if w.first(v) {
			w.value(v.Elem(), field, depth+1)
		}
	case reflect.Interface:
		w.inside(v, field, depth)
	case reflect.String:
		w.string(v, field)
	case reflect.Slice:
		w.list(v, field, depth)
	case reflect.Array:
		for i := range v.Len() {
			w.value(v.Index(i), field, depth+1)
		}
	case reflect.Map:
		if w.first(v) {
			w.entries(v, field, depth)
		}
	case reflect.Struct:
		w.fields(v, field, depth)
	}
}

func (w *walker) string(v reflect.Value, field string) {
	s := v.String()
	if s == "" || !v.CanSet() {
		return
	}
	if out := w.text(field, s); out != s {
		v.SetString(out)
	}
}

// inside changes the value of an interface. A string in it cannot be changed in place.
func (w *walker) inside(v reflect.Value, field string, depth int) {
	switch inner := v.Elem(); {
	case v.IsNil():
	case inner.Kind() == reflect.String && v.CanSet():
		v.Set(reflect.ValueOf(w.text(field, inner.String())).Convert(inner.Type()))
	default:
		w.value(inner, field, depth+1)
	}
}

// list changes the elements of a list that were not changed as part of a shorter one.
func (w *walker) list(v reflect.Value, field string, depth int) {
	if v.Type().Elem().Kind() == reflect.Uint8 || v.Len() == 0 {
		return
	}
	at := seenAt{v.Pointer(), v.Type()}
	for i := w.seen[at]; i < v.Len(); i++ {
		w.value(v.Index(i), field, depth+1)
	}
	w.seen[at] = max(w.seen[at], v.Len())
}

// fields changes the fields of a struct. Embedded fields have the name of the struct's field.
func (w *walker) fields(v reflect.Value, field string, depth int) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		name := f.Name
		if f.Anonymous {
			name = field
		}
		w.value(v.Field(i), name, depth+1)
	}
}

// first reports whether the target of a pointer or map is seen for the first time.
func (w *walker) first(v reflect.Value) bool {
	if v.IsNil() {
		return false
	}
	key := seenAt{v.Pointer(), v.Type()}
	if w.seen[key] > 0 {
		return false
	}
	w.seen[key] = 1
	return true
}

// entries changes the values of a map, and keys that are object names.
func (w *walker) entries(v reflect.Value, field string, depth int) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		if a.Kind() != reflect.String {
			return 0
		}
		return compare(a.String(), b.String())
	})
	type entry struct{ key, value reflect.Value }
	var fresh []entry
	for _, k := range keys {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(k))
		name := field
		if k.Kind() == reflect.String && !fixed[field] {
			name = captured[k.String()]
		}
		w.value(value, name, depth+1)
		if field == "Endpoints" || field == "Settings" { // of Services; of files with host names as keys
			key := reflect.New(v.Type().Key()).Elem()
			key.Set(k)
			w.value(key, field, depth+1)
			v.SetMapIndex(k, reflect.Value{})
			fresh = append(fresh, entry{key, value})
			continue
		}
		v.SetMapIndex(k, value)
	}
	for _, e := range fresh {
		v.SetMapIndex(e.key, e.value)
	}
}

// captured are map keys whose values are names.
var captured = map[string]string{"node": "Node", "pod": "Name", "namespace": "Namespace", "kubernetes.io/hostname": "Host"}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
