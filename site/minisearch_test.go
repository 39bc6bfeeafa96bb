package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The copy of MiniSearch is the file in docs/dependencies.md: it is not edited, and an update changes both.
func TestMiniSearchIsAsPublished(t *testing.T) {
	library, err := os.ReadFile("static/minisearch/minisearch.js")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(library)); !strings.Contains(string(list), sum) {
		t.Errorf("docs/dependencies.md does not list the SHA-256 of the copy of MiniSearch, %s", sum)
	}
}
