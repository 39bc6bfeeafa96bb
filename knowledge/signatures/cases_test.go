package signatures_test

import (
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// caseLines yields the different lines of the recorded cases.
func caseLines(t testing.TB) iter.Seq[string] {
	t.Helper()
	files, err := filepath.Glob("../../cases/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range txtar.Parse(data).Files {
				for line := range strings.Lines(string(f.Data)) {
					line = strings.TrimRight(line, "\r\n")
					if !seen[line] {
						seen[line] = true
						if !yield(line) {
							return
						}
					}
				}
			}
		}
	}
}
