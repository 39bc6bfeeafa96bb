package report

import (
	"testing"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// A fix stands below the object that it changes.
func TestFixStandsBelowItsObject(t *testing.T) {
	of := func(namespace, name string) evidence.Subject {
		return evidence.Subject{Kind: "Deployment", Namespace: namespace, Name: name}
	}
	x := check.Weakness{Subjects: []evidence.Subject{of("jobs", "batch"), of("jobs", "basket"), of("shop", "basket")}, Details: []string{"a", "b", "c"},
		Commands: []shell.Text{"kubectl scale -n shop deployment/basket --replicas=2"}}
	if got := ofCommandFirst(x); got.Subjects[0] != of("shop", "basket") || got.Details[0] != "c" || len(got.Details) != 3 || x.Details[0] != "a" {
		t.Errorf("%v %v", got.Subjects, got.Details)
	}
	x.Commands = nil
	if got := ofCommandFirst(x); got.Details[0] != "a" {
		t.Errorf("%v", got.Details)
	}
}
