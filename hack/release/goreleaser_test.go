package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The chosen targets are built, and steps that would pack nothing are skipped.
func TestConfig(t *testing.T) {
	text, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for chosen, want := range map[string]struct {
		program, agent, controller int
		skip                       []string
	}{
		"":                            {6, 2, 2, nil},
		"linux/arm64":                 {1, 1, 1, []string{"scoop"}},
		"darwin/amd64,darwin/arm64":   {2, 0, 0, []string{"nfpm", "scoop"}},
		"windows/amd64":               {1, 0, 0, []string{"nfpm", "homebrew"}},
		"linux/amd64,windows/arm64":   {2, 1, 1, nil},
		"linux/amd64,linux/s390x":     {},
		"windows/amd64,linux/amd64v2": {},
	} {
		data, skip, err := config(text, strings.FieldsFunc(chosen, func(c rune) bool { return c == ',' }))
		if want.program == 0 {
			if err == nil {
				t.Errorf("%s: no error", chosen)
			}
			continue
		}
		var c struct {
			Builds []struct {
				Targets []string
				Skip    bool
			}
		}
		if err != nil || yaml.Unmarshal(data, &c) != nil || len(c.Builds) != 3 {
			t.Fatalf("%s: %v\n%s", chosen, err, data)
		}
		for i, n := range []int{want.program, want.agent, want.controller} {
			if b := c.Builds[i]; len(b.Targets) != n || b.Skip != (n == 0) {
				t.Errorf("%s: build %d has %v, skip %t, want %d targets", chosen, i, b.Targets, b.Skip, n)
			}
		}
		if !slices.Equal(skip, want.skip) {
			t.Errorf("%s: skips %v, want %v", chosen, skip, want.skip)
		}
	}
}
