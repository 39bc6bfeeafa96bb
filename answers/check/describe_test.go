package check

import (
	"strings"
	"testing"
)

// Each check has a reason of one or more sentences, and no reason is left over.
func TestEachCheckSaysWhyItIsARisk(t *testing.T) {
	known := map[string]bool{}
	for _, d := range Described() {
		known[d.ID] = true
		if !strings.HasSuffix(d.Why, ".") || d.Title == "" || d.Fix == "" || d.Harm == "" {
			t.Errorf("%s is not complete: %+v", d.ID, d)
		}
	}
	for id := range reasons {
		if !known[id] {
			t.Errorf("%s is no check", id)
		}
	}
}
