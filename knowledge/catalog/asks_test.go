package catalog_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Each command that shows a name is one that may be shown, and each name has one command.
func TestAsks(t *testing.T) {
	list, seen := catalog.Asks(), map[string]bool{}
	if len(list) < 10 {
		t.Fatalf("%d commands were read", len(list))
	}
	for _, a := range list {
		if err := (command{"asks.yaml", string(a.Run), a.Where}).check(); err != nil {
			t.Errorf("%s: %v", a.Run, err)
		}
		for _, name := range a.Tells {
			if seen[name] {
				t.Errorf("two commands print {%s}", name)
			}
			seen[name] = true
		}
	}
	if got := catalog.Ask("pool", catalog.ProviderNamed("azure")); got.Where != "cloud-cli" {
		t.Errorf("the command of the cloud is %v", got)
	}
}

// elsewhere matches a rule that only refers to another text, which the reader may not have.
var elsewhere = regexp.MustCompile(`(?i)\bin (?:the|these|this) messages?\b|\bsee (?:the )?(?:title|message)\b|\b(?:command|check) (?:before|above)\b|\bbefore (?:names|prints)\b|\bas in the\b|\bthe printed folder\b`)

// Evidence that has a value fills it in. The rule for a name is read where no message has the value, so it is true without one.
func TestRulesForNamesStandAlone(t *testing.T) {
	list := catalog.Asks()
	for _, p := range catalog.Providers() {
		list = slices.Concat(list, p.Asks)
	}
	for _, a := range list {
		which := string(a.Which)
		if elsewhere.MatchString(which) {
			t.Errorf("%v: %q refers to a text that may be missing: add a command that prints the value, or say how to choose it", a.Tells, which)
		}
		if n := len(strings.Fields(which)); n > 8 {
			t.Errorf("%v: %q has %d words, more than 8", a.Tells, which, n)
		}
		if a.Run == "" && which == "" {
			t.Errorf("%v: it has no command and no rule", a.Tells)
		}
	}
}
