package catalog_test

import (
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
