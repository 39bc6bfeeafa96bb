package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"strings"

	"sigs.k8s.io/yaml"
)

// coverage lists what documents ask people to find out, predict, do, avoid or verify, and the feature that covers it.
type coverage struct {
	Documents []struct {
		Title      string      `json:"title"`
		Statements []statement `json:"statements"`
	} `json:"documents"`
}

type statement struct {
	Says  string   `json:"says"`
	Here  string   `json:"here"`
	Shown []string `json:"shown"`
	Why   string   `json:"why"`
}

// coveragePage returns docs/coverage.md, generated from docs/coverage.yaml.
func coveragePage() ([]byte, error) {
	data, err := os.ReadFile("docs/coverage.yaml")
	if err != nil {
		return nil, err
	}
	var c coverage
	if err := yaml.UnmarshalStrict(data, &c); err != nil {
		return nil, fmt.Errorf("docs/coverage.yaml: %w", err)
	}
	var b bytes.Buffer
	b.WriteString("<!-- Made by gendocs from docs/coverage.yaml; edit that file. -->\n# Coverage of published guides\n\n")
	b.WriteString("Five published guides describe what to check, predict, do and avoid when a node is broken. Each row has a statement of a guide in our words, the command that covers it, and the test\n" +
		"or file that proves it. A test checks that the commands, files and tests exist. If a statement is not covered, or only in part, the row has the reason.\n")
	for _, d := range c.Documents {
		fmt.Fprintf(&b, "\n## %s\n\n| statement | here | shown by |\n| --- | --- | --- |\n", d.Title)
		for _, s := range d.Statements {
			here := "-"
			if s.Here != "" {
				here = "`" + s.Here + "`"
			}
			if s.Why != "" {
				here += "; " + s.Why
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", s.Says, here, links(s.Shown))
		}
	}
	return b.Bytes(), nil
}

// links returns links to the files that show a statement. A test is named by its function.
func links(shown []string) string {
	out := make([]string, 0, len(shown))
	for _, name := range shown {
		file, test, _ := strings.Cut(name, ":")
		says := test
		if says == "" {
			says = strings.TrimSuffix(path.Base(path.Dir(file))+"/"+path.Base(file), path.Ext(file))
		}
		out = append(out, "["+says+"](../"+file+")")
	}
	return strings.Join(out, ", ")
}
