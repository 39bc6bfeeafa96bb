//go:build linux

package story

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Each node that no fault affects is diagnosed by name; a bundle of some nodes is not used for others.
func TestAskOthers(t *testing.T) {
	dir := t.TempDir()
	dump := `{"items":[{"kind":"Pod","metadata":{"name":"x"}},{"kind":"Node","metadata":{"name":"b"}},{"kind":"Node","metadata":{"name":"a"}},{"kind":"Node","metadata":{"name":"c"}}]}`
	program := filepath.Join(dir, "program")
	if err := writeGzip(filepath.Join(dir, dumpFile), []byte(dump)); err != nil {
		t.Fatal(err)
	}
	// The last argument is the node.
	if err := os.WriteFile(program, []byte("#!/bin/sh\nfor last; do :; done\necho \"{\\\"verdict\\\": \\\"$last\\\"}\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for named, ways := range map[bool][]Way{false: {Bundle, Dump}, true: {Dump}} {
		l := &Look{Named: named}
		l.askOthers(t.Context(), program, []string{"b"}, dir)
		if got := slices.Sorted(maps.Keys(l.Others)); !slices.Equal(got, ways) {
			t.Errorf("the ways %v were asked, not %v", got, ways)
		}
		for way, answers := range l.Others {
			if got := slices.Sorted(maps.Keys(answers)); !slices.Equal(got, []string{"a", "c"}) || answers["a"].Verdict != "a" {
				t.Errorf("%s was asked about %v: %v", way, got, answers)
			}
		}
	}
	l := &Look{}
	if l.askOthers(t.Context(), program, nil, t.TempDir()); l.Others[Dump][""].Error == "" {
		t.Error("a look without its dump has no error")
	}
}
