package signatures

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// healthyLines returns lines of healthy nodes and clusters.
func healthyLines(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/healthy.log")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// A signature of a cause must not match lines of healthy nodes. One with a "with" condition counts only together with another
// match; one that is not certain may have an "unless" that corrects it.
func TestHealthyLinesNameNoCause(t *testing.T) {
	lines := healthyLines(t)
	if len(lines) < 400 {
		t.Fatalf("testdata/healthy.log has %d lines, want 400 at least", len(lines))
	}
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, line := range lines {
		for _, m := range set.Match(line, "") {
			seen[m.Signature.ID] = true
		}
	}
	for _, line := range lines {
		for _, m := range set.Match(line, "") {
			s := m.Signature
			if cat.Cause(s.Says) == nil || len(s.With)+len(s.Beside) > 0 && !anySeen(seen, slices.Concat(s.With, s.Beside)) {
				continue
			}
			if s.Certainty == Possible && len(s.With)+len(s.Beside)+len(s.Unless) > 0 {
				continue
			}
			t.Errorf("%s says %s (%s) of a healthy line:\n%s", s.ID, s.Says, s.Certainty, line)
		}
	}
}

func anySeen(seen map[string]bool, ids []string) bool {
	for _, id := range ids {
		if seen[id] {
			return true
		}
	}
	return false
}

// An expression costs a hundred times more than the search, so the literals of a signature must be rare.
func TestHealthyLinesRunFewExpressions(t *testing.T) {
	lines := healthyLines(t)
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	f := set.find()
	runs := map[*Signature]int{}
	for _, line := range lines {
		text := prefilter.NewText(unescape(line))
		tried := map[*Signature]bool{}
		for _, h := range f.find([]byte(line), nil) {
			for _, s := range h.signatures {
				if !tried[s] && s.guard().Pass(text) {
					runs[s]++
				}
				tried[s] = true
			}
		}
	}
	for _, s := range set.All() {
		if limit := len(lines) * 2 / 100; runs[s] > limit {
			t.Errorf("%s runs on %d of %d healthy lines, searching %q", s.ID, runs[s], len(lines), s.literals)
		}
	}
}

// The tolerations of a pod show nothing about a node, not even a symptom: nearly every pod has such lines.
func TestTolerationsAreNoSymptom(t *testing.T) {
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range healthyLines(t) {
		if !strings.Contains(line, " op=Exists") {
			continue
		}
		n++
		for _, m := range set.Match(line, "") {
			if slices.Contains(m.Signature.Unless, m.Signature.ID) {
				continue // a word that keeps others from speaking, and says nothing itself
			}
			t.Errorf("%s says %s of a toleration:\n%s", m.Signature.ID, m.Signature.Says, line)
		}
	}
	if n < 5 {
		t.Fatalf("testdata/healthy.log has %d tolerations, want 5 at least", n)
	}
}
