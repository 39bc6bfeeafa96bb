package evidence_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// lasting are the fields of a pod that its state does not change.
var lasting = []string{
	"Namespace", "Name", "UID", "Node", "Labels", "Owner", "Spec", "IP", "QOS", "Unlimited", "Created", "Ago", "Finalizers", "Mirror", "Ignore",
	"Deleted", "Grace", // have a time of their own
	"Conditions", // each has a time
	"Partial",    // says that the state is unknown
}

// The state of a pod that changed after a time is unknown at that time, in every field.
func TestUntilClearsTheStateOfPods(t *testing.T) {
	pod := &evidence.Pod{}
	v := reflect.ValueOf(pod).Elem()
	for i := range v.NumField() {
		fill(t, v.Type().Field(i).Name, v.Field(i))
	}
	pod.Created, pod.Deleted, pod.Conditions = noon.Add(-time.Hour), time.Time{}, nil
	pod.ReadySince = noon.Add(time.Minute)
	s := evidence.New(evidence.Data{TakenAt: noon.Add(time.Hour), Pods: []*evidence.Pod{pod}}).Until(noon)
	got := reflect.ValueOf(s.Pods()[0]).Elem()
	for i := range got.NumField() {
		name := got.Type().Field(i).Name
		if !slices.Contains(lasting, name) && !got.Field(i).IsZero() {
			t.Errorf("%s keeps its later value: clear it in Pod.until, or list it in lasting", name)
		}
	}
}

// fill gives a field a value.
func fill(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("a"), reflect.ValueOf("b"))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(noon))
			return
		}
		for i := range v.NumField() {
			fill(t, name, v.Field(i))
		}
	default:
		t.Fatalf("%s is a %s: say here which value it can have", name, v.Kind())
	}
}
