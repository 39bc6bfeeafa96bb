package prefilter

import (
	"regexp"
	"regexp/syntax"
	"testing"
)

// The printed form compiles to the same program as that of the standard library, and the tree is not changed.
func FuzzPrinted(f *testing.F) {
	for _, expr := range []string{`(?i)a[^"]{0,200}b`, `[^a]*`, `(?i)x(?-i:[^K])y[^\s]+`, `[^\n]|b`, `(?i)k[^k]k`, "[^a]\U00100000", "\U00100000[^b]", `[a-z]\W`, `a(?s:.)[^\d]{2,}?`, `[\x{100000}-\x{100001}]`} {
		f.Add(expr)
	}
	f.Fuzz(func(t *testing.T, expr string) {
		tree, err := syntax.Parse(expr, syntax.Perl)
		if err != nil || len(expr) > 200 {
			return
		}
		before := tree.String()
		text := printed(tree)
		if after := tree.String(); after != before {
			t.Errorf("%q: the tree was %q and is %q", expr, before, after)
		}
		if got, want := program(t, text), program(t, before); got != want {
			t.Errorf("%q: %q is not %q:\n%s\n%s", expr, text, before, got, want)
		}
	})
}

// program is what an expression is compiled to.
func program(t *testing.T, expr string) string {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		if _, err := regexp.Compile(expr); err != nil {
			return "too large"
		}
		t.Fatalf("%q: %v", expr, err)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		t.Fatalf("%q: %v", expr, err)
	}
	return prog.String()
}
