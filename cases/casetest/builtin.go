package casetest

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Builtin returns the built-in catalog and signatures.
func Builtin(t testing.TB) (*catalog.Catalog, *signatures.Set) {
	t.Helper()
	known, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return known, set
}
