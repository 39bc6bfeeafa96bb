//go:build !race

package signatures_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// The property of the fuzz target, for a part of the lines of the recorded cases. The race detector, which has nothing to find
// here, makes an expression twenty times slower.
func TestScanFindsWhatTheExpressionMatches(t *testing.T) {
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 64)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for line := range lines {
				found := map[string]bool{}
				for _, m := range set.Match(line, "") {
					found[m.Signature.ID] = true
				}
				for _, s := range set.All() {
					if found[s.ID] {
						continue
					}
					if _, ok := s.Match(line); ok {
						t.Errorf("%s: the expression matches, the scanner does not: %s", s.ID, line)
					}
				}
			}
		})
	}
	n := 0
	for line := range caseLines(t) {
		if n++; n%20 == 0 && !strings.Contains(line, `\`) && len(line) <= 3000 {
			lines <- line
		}
	}
	close(lines)
	wait.Wait()
}
