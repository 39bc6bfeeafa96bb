//go:build linux

package story

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

// The same seed gives the same stories. Faults on one node at the same time can coexist, and only a relapse has the
// same fault twice.
func TestPlan(t *testing.T) {
	one, err := Plan(200, 7, scenario.All())
	if err != nil {
		t.Fatal(err)
	}
	two, _ := Plan(200, 7, scenario.All())
	if !slices.Equal(one, two) {
		t.Error("two plans of one seed differ")
	}
	kinds, evictions := map[Kind]int{}, 0
	for _, s := range one {
		kinds[s.Kind]++
		if s.Evict {
			evictions++
		}
		if (s.First == s.Second) != (s.Kind == Again) || s.Evict && !s.Kind.InTurn() {
			t.Errorf("%s: %+v", s.Name, s)
		}
		first, _ := scenario.Named(s.First)
		second, _ := scenario.Named(s.Second)
		if first.Lone || second.Lone || first.Loud || second.Loud || s.Kind == Together && !first.Coexists(second) {
			t.Errorf("%s cannot be played", s.Name)
		}
	}
	if kinds[Then] == 0 || kinds[Again] == 0 || kinds[Beside] == 0 || kinds[Together] == 0 || evictions == 0 {
		t.Errorf("not every kind is there: %v, with evictions %d", kinds, evictions)
	}
	if _, err := Plan(1, 1, nil); err == nil {
		t.Error("there are stories without scenarios")
	}
}

// Every scenario declares the parts that it occupies.
func TestOccupies(t *testing.T) {
	for _, s := range scenario.All() {
		if len(s.Occupies) == 0 {
			t.Errorf("%s occupies nothing", s.Name)
		}
		if s.Coexists(s) {
			t.Errorf("%s coexists with itself", s.Name)
		}
	}
}
