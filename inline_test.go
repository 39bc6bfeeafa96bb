package nodetriage_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The program that make builds and the one that people install are inlined in the same packages. Of each path of this module in the
// list there must be a folder: the flag of a path that does not exist has no effect, and nothing says so.
func TestInliningIsTheSame(t *testing.T) {
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^INLINE := ((?:.*\\\n)*.*)$`).FindSubmatch(text)
	if found == nil {
		t.Fatal("the Makefile has no INLINE")
	}
	ours := strings.TrimSuffix(module, "/")
	built := strings.Fields(strings.NewReplacer("$(OURS)", ours, "\\\n", " ").Replace(string(found[1])))
	var releaser struct {
		Builds []struct {
			Gcflags []string `json:"gcflags"`
		} `json:"builds"`
	}
	config, err := os.ReadFile(".goreleaser.yaml")
	if err == nil {
		err = yaml.Unmarshal(config, &releaser)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range releaser.Builds {
		if !slices.Equal(b.Gcflags, built) {
			t.Errorf("build %d of .goreleaser.yaml has gcflags %q, INLINE of the Makefile is %q", i+1, b.Gcflags, built)
		}
	}
	for _, flag := range built {
		pattern, _, _ := strings.Cut(flag, "=")
		folder, own := strings.CutPrefix(strings.TrimSuffix(pattern, "/..."), module)
		if _, err := os.Stat(folder); own && err != nil {
			t.Errorf("%s: %v", flag, err)
		}
	}
}
