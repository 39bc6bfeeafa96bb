package catalog_test

import (
	"os"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Scripts and tickets reference causes by id, so published ids stay. See docs/stability.md.
func TestCausesStay(t *testing.T) {
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	ids, err := os.ReadFile("testdata/stability/causes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for id := range strings.FieldsSeq(string(ids)) {
		if cat.Cause(id) == nil {
			t.Errorf("cause %s is gone: reports, tickets and scripts name it; keep its id", id)
		}
	}
}
