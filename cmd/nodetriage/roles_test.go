package main

import (
	"os"
	"strings"
	"testing"
)

// The roles in the documentation match the manifests.
func TestRolesOfDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/permissions.md")
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile("../../deploy/drain.yaml")
	if err != nil {
		t.Fatal(err)
	}
	roles := 0
	for role := range strings.SplitSeq(string(manifest), "\n---\n") {
		_, role, _ = strings.Cut(role, "apiVersion: ") // without the comment at the top
		roles++
		if !strings.Contains(string(page), "```yaml\napiVersion: "+strings.TrimSpace(role)+"\n```") {
			t.Errorf("docs/permissions.md does not have the role of deploy/drain.yaml:\n%s", role)
		}
	}
	if roles != 2 {
		t.Errorf("deploy/drain.yaml has %d roles, want reader and drainer", roles)
	}
}
