package nodetriage_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// CHANGELOG.md keeps the form of keepachangelog.com, by which tools read it: one line a change, under one of six headings.
func TestChangelogKeepsItsForm(t *testing.T) {
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	release := regexp.MustCompile(`^## \[(Unreleased|\d+\.\d+\.\d+)\]( - \d{4}-\d{2}-\d{2})?$`)
	kinds := []string{"### Added", "### Changed", "### Deprecated", "### Removed", "### Fixed", "### Security"}
	inKind, last := false, -1
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "### "):
			kind := slices.Index(kinds, line)
			if kind <= last {
				t.Errorf("line %d: %q is none of %s, or not in this order", i+1, line, strings.Join(kinds, ", "))
			}
			inKind, last = true, kind
		case strings.HasPrefix(line, "## "):
			if inKind, last = false, -1; !release.MatchString(line) {
				t.Errorf("line %d: %q is not ## [VERSION] - DATE", i+1, line)
			}
		case strings.HasPrefix(line, "- ") && lines[i-1] == "" && strings.HasPrefix(lines[i-2], "- "):
			t.Errorf("line %d: an empty line between two changes", i+1)
		case strings.HasPrefix(line, "- ") && !inKind:
			t.Errorf("line %d: a change stands under no heading", i+1)
		case strings.HasPrefix(line, "- ") && len(line) > 160:
			t.Errorf("line %d: one line a change, at most 160 characters", i+1)
		case strings.HasPrefix(line, "  "):
			t.Errorf("line %d: one line a change", i+1)
		}
	}
}
