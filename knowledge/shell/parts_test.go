package shell_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// A text keeps what is relevant: sentences, and brackets inside them. It is not kept without its first sentence.
func TestOnly(t *testing.T) {
	ours := func(part string) bool { return !strings.Contains(part, "AKS") }
	for _, c := range []struct {
		text, want shell.Text
		ok         bool
	}{
		{"Open port 53", "Open port 53", true},
		{"Open port 53 (on AKS, in the NSG). Then wait", "Open port 53. Then wait", true},
		{"Open port 53 (UDP and TCP). On AKS, wait. Then check again", "Open port 53 (UDP and TCP). Then check again", true},
		{"On AKS, wait. Then check again", "", false},
	} {
		if got, ok := c.text.Only(ours); got != c.want || ok != c.ok {
			t.Errorf("%q: %q, %v", c.text, got, ok)
		}
	}
}
