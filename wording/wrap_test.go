package wording_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/wording"
)

// Lines break at spaces alone, so that flags, paths and commands can be copied.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text, indent, want string
		width              int
	}{
		{"", "  ", "", 20},
		{"one two  three", "", "one two\nthree", 8},
		{"use --ignore-daemonsets here", "  ", "use\n  --ignore-daemonsets\n  here", 12},
		{"/var/lib/kubelet/pods/0b1c is full", "", "/var/lib/kubelet/pods/0b1c\nis full", 10},
		{"節点 未就緒 now", "", "節点\n未就緒\nnow", 8},
		{"\x1b[31mred\x1b[0m word", "", "\x1b[31mred\x1b[0m word", 8},
	} {
		if got := wording.Wrap(c.text, c.width, c.indent); got != c.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
	if got := wording.WrapFrom("a b", 9, 11, "  "); got != "a\n  b" {
		t.Errorf("WrapFrom at column 9 of 11 = %q", got)
	}
}
