package catalog_test

import (
	"regexp"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// statement matches a sentence that describes a state.
var statement = regexp.MustCompile(`^(?:The|A|An|It|This|That|There|No|Each|Every|All|Most)\b`)

// A short form of a title is its first sentence, so the first sentence is an action, not a description of the fault.
func TestFixesAreActions(t *testing.T) {
	for _, c := range builtin(t).Causes() {
		for _, r := range c.Remedies {
			if first := shell.Sentences(r.Title)[0]; statement.MatchString(first) {
				t.Errorf("%s: fix %q: begin with what to do", c.ID, first)
			}
		}
	}
}
