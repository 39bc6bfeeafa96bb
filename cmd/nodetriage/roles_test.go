package main

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var updateReadme = flag.Bool("update-readme", false, "write the answers into README.md")

// example is a command in a comment of the README, and the answer printed below it.
var example = regexp.MustCompile("(?s)<!-- example: ([^\n]*) -->\n```text\n(.*?)```\n")

// The examples in the README match the program's output.
func TestReadmeExamples(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	const file = "../../README.md"
	readme, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	fresh := example.ReplaceAllFunc(readme, func(block []byte) []byte {
		found++
		args := string(example.FindSubmatch(block)[1])
		var out bytes.Buffer
		root := newRoot()
		root.SetArgs(strings.Fields(args))
		root.SetOut(&out)
		root.SetErr(&bytes.Buffer{})
		_ = root.Execute() // exit codes are errors here; the answer is what counts
		return []byte("<!-- example: " + args + " -->\n```text\n" + out.String() + "```\n")
	})
	if found == 0 {
		t.Fatal("the README has no example")
	}
	if *updateReadme {
		if err := os.WriteFile(file, fresh, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(readme, fresh) {
		t.Errorf("README.md shows other answers than the program prints; run go test ./cmd/nodetriage -run Readme -update-readme")
	}
}

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
