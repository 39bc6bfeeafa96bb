//go:build linux

package story

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

// The same seed gives the same stories; what is together on one node leaves room for each other.
func TestPlan(t *testing.T) {
	one, err := Plan(200, 7, scenario.All())
	if err != nil {
		t.Fatal(err)
	}
	two, _ := Plan(200, 7, scenario.All())
	if !slices.Equal(one, two) {
		t.Error("two plans of one seed differ")
	}
	kinds := map[Kind]int{}
	for _, s := range one {
		kinds[s.Kind]++
		first, _ := scenario.Named(s.First)
		second, _ := scenario.Named(s.Second)
		if first.Lone || second.Lone || first.Loud || second.Loud || s.Kind == Together && !first.Coexists(second) {
			t.Errorf("%s cannot be played", s.Name)
		}
	}
	if kinds[Then] == 0 || kinds[Beside] == 0 || kinds[Together] == 0 {
		t.Errorf("not every kind is there: %v", kinds)
	}
	if _, err := Plan(1, 1, nil); err == nil {
		t.Error("there are stories without scenarios")
	}
}

// Every scenario says what it occupies.
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
