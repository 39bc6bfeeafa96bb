package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cases"
)

// Each schema of docs has a page, and the list links to all of them.
func TestSchemaPages(t *testing.T) {
	to := t.TempDir()
	if err := schemaPages("../docs/schema", to); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(to, "content/docs/schema/_index.md"))
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := filepath.Glob("../docs/schema/*.json")
	if err != nil || len(schemas) == 0 {
		t.Fatalf("%d schemas, %v", len(schemas), err)
	}
	for _, file := range schemas {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		page, err := os.ReadFile(filepath.Join(to, "content/docs/schema", name+".md"))
		if err != nil || !strings.Contains(string(page), "JSON Schema: ["+name+".json]") {
			t.Errorf("the page of %s is %.60q (%v)", name, page, err)
		}
		if !strings.Contains(string(list), "]("+name+".md)") {
			t.Errorf("the list has no link to %s", name)
		}
	}
	if err := schemaPages(t.TempDir(), to); err == nil {
		t.Error("a folder without schemas gives no error")
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "x.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := schemaPages(broken, to); err == nil || !strings.Contains(err.Error(), "x.json") {
		t.Errorf("a broken schema: %v", err)
	}
}

// An answer of the gallery begins with what happened, where that is known from, and the command.
func TestHeaded(t *testing.T) {
	a := answer{Case: "cases/a.txtar", Run: "diagnose CASE"}
	c := cases.Case{Truth: cases.Truth{Truth: "The <runtime> hung.", Provenance: "recorded", Source: "the lab", Class: "no-such-cause"}}
	page, err := a.headed([]byte("<body><main>\n<h1>x</h1>"), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"The &lt;runtime&gt; hung. (recorded: the lab)", "nodetriage diagnose cases/a.txtar -o html"} {
		if !strings.Contains(string(page), part) {
			t.Errorf("%q is not in %s", part, page)
		}
	}
	if c.Truth.Provenance = "captured"; origin(c.Truth) != "captured: the lab" {
		t.Errorf("the origin is %q", origin(c.Truth))
	}
	if _, err := a.headed([]byte("<body>"), c); err == nil {
		t.Error("a page without a place for the description gives no error")
	}
}
