package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Workflows have few permissions, run only pinned actions, and put no untrusted input into a shell.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d workflows (%v)", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var w struct {
			Permissions map[string]string
			Jobs        map[string]struct {
				Permissions map[string]string
				Steps       []struct{ Name, Uses, Run string }
			}
		}
		if err := yaml.Unmarshal(text, &w); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if w.Permissions == nil || w.Permissions["contents"] == "write" {
			t.Errorf("%s: permissions of the workflow are %v, want those of a reader or none", file, w.Permissions)
		}
		for name, job := range w.Jobs {
			if job.Permissions["id-token"] == "write" && name != "attest" {
				t.Errorf("%s: job %s may sign", file, name)
			}
			for _, step := range job.Steps {
				if step.Uses != "" && !regexp.MustCompile(`@[0-9a-f]{40}$`).MatchString(step.Uses) {
					t.Errorf("%s: action %s is not pinned by its digest", file, step.Uses)
				}
				for _, tool := range regexp.MustCompile(`go (?:install|run) (\S+)`).FindAllStringSubmatch(step.Run, -1) {
					if !regexp.MustCompile(`@v\d+\.\d+\.\d+$`).MatchString(tool[1]) {
						t.Errorf("%s: tool %s has no version", file, tool[1])
					}
				}
				if strings.Contains(step.Run, "${{") && !strings.Contains(step.Run, "${{ matrix.") {
					t.Errorf("%s: step %q has an expression in its script: pass it by the environment", file, step.Name)
				}
			}
		}
	}
}
