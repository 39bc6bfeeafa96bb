package paste

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
)

// notInTexts are the fields of a pod that no later text adds to an earlier one.
var notInTexts = []string{
	"Name", "Partial", // identify the two texts
	"UID", "Ago", "Ended", "Started", "ReadySince", "Finalizers", "Ignore", "Nominated", "Resized", // no table or description has them, or the earlier text has them
}

// What a later text says of a pod reaches what an earlier text said.
func TestCompletePodForgetsNothing(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[evidence.Pod]()) {
		if slices.Contains(notInTexts, f.Name) {
			continue
		}
		later := &evidence.Pod{Status: "Running"}
		casetest.Fill(t, f.Name, reflect.ValueOf(later).Elem().FieldByIndex(f.Index))
		if f.Name == "ReadyCount" || f.Name == "Restarts" {
			later.Total = 2
		}
		if f.Name == "Grace" {
			later.Deleted = time.Unix(1, 0)
		}
		known := &evidence.Pod{Partial: true}
		completePod(known, later)
		if reflect.ValueOf(known).Elem().FieldByIndex(f.Index).IsZero() {
			t.Errorf("completePod drops %s", f.Name)
		}
	}
}
