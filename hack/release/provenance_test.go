package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The provenance names the commit and the builder; without a builder there is none.
func TestProvenance(t *testing.T) {
	r := &release{out: t.TempDir(), version: "1.2.3", commit: "abc"}
	file := filepath.Join(r.out, "provenance.json")
	if err := r.provenance(""); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("written without a builder: %v", err)
	}
	if err := r.provenance("https://example.com/builder"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		BuildDefinition struct {
			ResolvedDependencies []struct{ Digest struct{ GitCommit string } }
		}
		RunDetails struct{ Builder struct{ ID string } }
	}
	if err := json.Unmarshal(data, &p); err != nil || p.BuildDefinition.ResolvedDependencies[0].Digest.GitCommit != "abc" || p.RunDetails.Builder.ID != "https://example.com/builder" {
		t.Errorf("%v\n%s", err, data)
	}
}
