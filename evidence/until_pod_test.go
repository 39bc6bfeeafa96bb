package evidence_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases/casetest"
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
		casetest.Fill(t, v.Type().Field(i).Name, v.Field(i))
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
