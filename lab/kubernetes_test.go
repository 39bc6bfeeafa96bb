//go:build unix

package lab

import (
	"slices"
	"strings"
	"testing"
)

// Every release of the lab has its build files and reports its version.
func TestReleases(t *testing.T) {
	minors := Releases()
	if len(minors) < 2 || !slices.Contains(minors, own.minor()) || !slices.IsSorted(minors) {
		t.Fatal(minors)
	}
	for _, minor := range minors {
		r, err := releaseOf(minor)
		if err != nil {
			t.Error(err)
			continue
		}
		if r.minor() != minor || len(r.sum) == 0 || !strings.Contains(r.flags(), "gitVersion="+r.version+" ") {
			t.Errorf("%s: %s, %s", minor, r.version, r.flags())
		}
	}
	if r, err := releaseOf(""); err != nil || r.version != KubernetesVersion {
		t.Error(r.version, err)
	}
	if _, err := releaseOf("1.12"); err == nil || !strings.Contains(err.Error(), "the lab has 1.") {
		t.Error(err)
	}
}
