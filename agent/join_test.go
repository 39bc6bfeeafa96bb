package agent

import (
	"reflect"
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Every section of a probe's report reaches the merged report.
func TestJoinForgetsNothing(t *testing.T) {
	head := []string{"APIVersion", "Kind", "Node", "TakenAt", "Source", "Away", "Earlier", "Saved"}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[nodereport.Report]()) {
		if slices.Contains(head, f.Name) {
			continue
		}
		part, report := &nodereport.Report{}, &nodereport.Report{}
		said := reflect.ValueOf(part).Elem().FieldByIndex(f.Index)
		switch f.Type.Kind() {
		case reflect.Slice:
			said.Set(reflect.MakeSlice(f.Type, 1, 1))
		case reflect.Pointer:
			said.Set(reflect.New(f.Type.Elem()))
		case reflect.Map:
			said.Set(reflect.MakeMap(f.Type))
			said.SetMapIndex(reflect.ValueOf("a"), reflect.ValueOf("b"))
		default:
			t.Fatalf("%s is a %s: say here what a probe would put there", f.Name, f.Type)
		}
		join(report, part)
		if reflect.ValueOf(report).Elem().FieldByIndex(f.Index).IsZero() {
			t.Errorf("join drops %s", f.Name)
		}
	}
}
