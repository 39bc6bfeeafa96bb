package ignore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage/ignore"
)

// A case is a file of exceptions, evidence with annotations, and the expected result for each cause on each node and pod.
func TestCases(t *testing.T) {
	cat, _ := casetest.Builtin(t)
	known := func(id string) bool { return cat.Cause(id) != nil }
	suggest := func(id string) string { return "nodetriage explain lists those that are" }
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		var got strings.Builder
		var list *ignore.List
		if data := c.File("exceptions.yaml"); data != nil {
			var err error
			if list, err = ignore.Read("exceptions.yaml", data, known, suggest); err != nil {
				c.Want(t, "want", err.Error()+"\n")
				return
			}
		}
		var data evidence.Data
		if c.File("evidence.yaml") != nil {
			c.YAML(t, "evidence.yaml", &data)
		}
		s := evidence.New(data)
		list = list.Join(ignore.OfObjects(s, known, suggest))
		var subjects []evidence.Subject
		for _, n := range s.Data().Nodes {
			subjects = append(subjects, n.Subject())
		}
		for _, p := range s.Data().Pods {
			subjects = append(subjects, p.Subject())
		}
		for _, on := range subjects {
			for _, cause := range strings.Fields(c.Text("causes")) {
				if e := list.For(s.TakenAt(), cause, on); e != nil {
					fmt.Fprintf(&got, "%s on %s: until %s, why %q, who %q, %s\n", cause, on, e.Until, e.Why, e.Who, e.Where)
				} else {
					fmt.Fprintf(&got, "%s on %s: told\n", cause, on)
				}
			}
		}
		for _, n := range list.Notes(s.TakenAt()) {
			fmt.Fprintf(&got, "%s\n", n)
		}
		c.Want(t, "want", got.String())
	})
}
