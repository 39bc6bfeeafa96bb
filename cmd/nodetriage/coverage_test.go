package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Each statement of the documents has an existing command and an existing case or test, or a reason why not.
func TestCoverage(t *testing.T) {
	root := filepath.Join("..", "..")
	data, err := os.ReadFile(filepath.Join(root, "docs", "coverage.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Documents []struct {
			Title      string
			Statements []struct {
				Says, Here, Why string
				Shown           []string
			}
		}
	}
	if err := yaml.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Documents) != 5 {
		t.Errorf("there are %d documents", len(c.Documents))
	}
	seen, total := map[string]bool{}, 0
	for _, d := range c.Documents {
		for _, s := range d.Statements {
			total++
			if s.Says == "" || seen[s.Says] {
				t.Errorf("%s: %q is empty or stands twice", d.Title, s.Says)
			}
			seen[s.Says] = true
			if s.Why == "" && (s.Here == "" || len(s.Shown) == 0) {
				t.Errorf("%s: %q has no command with what shows it, and no reason", d.Title, s.Says)
			}
			if s.Here != "" {
				args := strings.Fields(s.Here)
				cmd, rest, err := newRoot().Find(args[1:])
				if args[0] != "nodetriage" || err != nil || !cmd.HasParent() {
					t.Errorf("%s: there is no command %q", s.Says, s.Here)
				} else if err := cmd.ParseFlags(rest); err != nil {
					t.Errorf("%s: %q: %v", s.Says, s.Here, err)
				}
			}
			for _, name := range s.Shown {
				file, test, named := strings.Cut(name, ":")
				info, err := os.Stat(filepath.Join(root, file))
				if err != nil {
					t.Errorf("%s: %v", s.Says, err)
					continue
				}
				if info.IsDir() {
					if list, _ := os.ReadDir(filepath.Join(root, file)); len(list) == 0 {
						t.Errorf("%s: %s is empty", s.Says, file)
					}
				} else if text, err := os.ReadFile(filepath.Join(root, file)); err != nil || named && !strings.Contains(string(text), "func "+test+"(") {
					t.Errorf("%s: %s has no %s", s.Says, file, test)
				}
			}
		}
	}
	if total < 90 {
		t.Errorf("the documents have %d statements, which cannot be all", total)
	}
}
