package catalog_test

import (
	"regexp"
	"strings"
	"testing"
)

// precondition matches a caution with a step that comes before the fix.
var precondition = regexp.MustCompile(`(?i)\b(?:check|compare|exclude|find out|look for|read|save|test|wait)\b[^.]* first\.|^(?:check|compare|find out|read|save)\b[^.]* before you\b`)

// A caution with a step that comes before any fix begins with "First", because the screen shows it above the fix.
func TestCautionsThatComeFirst(t *testing.T) {
	for _, c := range builtin(t).Causes() {
		for _, k := range c.Cautions {
			text := string(k.Text)
			late := precondition.MatchString(text) && !strings.HasPrefix(text, "If ")
			if late && !strings.HasPrefix(text, "First ") && !strings.HasPrefix(text, "Do not ") {
				t.Errorf("%s: %q: begin with \"First\", so that it stands above the fix", c.ID, text)
			}
		}
	}
}
