package report

import (
	"reflect"
	"time"
)

// cleaned returns a copy of a value in which Clean made every text safe, so that no form has to remember which texts are
// external.
func cleaned[T any](v *T) *T {
	out := cleanValue(reflect.ValueOf(v))
	return out.Interface().(*T)
}

var timeType = reflect.TypeFor[time.Time]()

func cleanValue(v reflect.Value) reflect.Value {
	if v.Type() == timeType {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(Clean(v.String()))
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(cleanValue(v.Elem()))
	case reflect.Struct:
		out.Set(v) // including unexported fields, which no form prints
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(cleanValue(v.Field(i)))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(cleanValue(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(cleanValue(it.Key()), cleanValue(it.Value()))
		}
	default:
		return v
	}
	return out
}
