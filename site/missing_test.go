package main

import (
	"errors"
	"testing"
	"testing/fstest"
)

func TestMissingPages(t *testing.T) {
	page := &fstest.MapFile{Data: []byte("<!doctype html>")}
	s, err := readSite(fstest.MapFS{"docs/a/index.html": page, "docs/causes/index.html": page})
	if err != nil {
		t.Fatal(err)
	}
	missing, err := s.missingPages(fstest.MapFS{"docs/A.md": {}, "docs/causes/README.md": {}, "docs/decisions/1.md": {}, "docs/coverage.yaml": {}, "README.md": {}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := errors.Join(missing...), "docs/decisions/1.md: the site has no page of it"; got == nil || got.Error() != want {
		t.Errorf("missing pages: %v, want %q", got, want)
	}
}
