//go:build !race

package signatures_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/signatures"
)

// What the fuzz target holds, for a part of the lines of the recorded cases. The race detector, for which there is
// nothing to find here, makes an expression twenty times slower.
func TestScanFindsWhatTheExpressionMatches(t *testing.T) {
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range caseLines(t) {
		if n++; n%20 != 0 {
			continue
		}
		if strings.Contains(line, `\`) || len(line) > 3000 {
			continue
		}
		found := map[string]bool{}
		for _, m := range set.Match(line, "") {
			found[m.Signature.ID] = true
		}
		for _, s := range set.All() {
			if _, ok := s.Match(line); ok && !found[s.ID] {
				t.Errorf("%s: the expression matches, the scanner does not: %s", s.ID, line)
			}
		}
	}
}
