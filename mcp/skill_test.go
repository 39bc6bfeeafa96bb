package mcp_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The skill keeps the rules of the format (agentskills.io/specification) and names only tools and fields that exist.
func TestSkill(t *testing.T) {
	const path = "../skills/kubernetes-node-triage/SKILL.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(string(data), "---\n", 3)
	if len(parts) != 3 || parts[0] != "" {
		t.Fatal("the skill does not begin with front matter")
	}
	var head map[string]any
	if err := yaml.Unmarshal([]byte(parts[1]), &head); err != nil {
		t.Fatal(err)
	}
	allowed := map[string]int{"name": 64, "description": 1024, "license": 200, "compatibility": 500}
	for field, value := range head {
		text, isText := value.(string)
		if most := allowed[field]; !isText || text == "" || len(text) > most {
			t.Errorf("the field %s is not a text of at most %d characters", field, most)
		}
	}
	name, _ := head["name"].(string)
	if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(name) || name != filepath.Base(filepath.Dir(path)) {
		t.Errorf("the name %q is invalid, or not that of the folder", name)
	}
	if description, _ := head["description"].(string); !strings.Contains(description, "Use it if") {
		t.Error("the description does not say when to use the skill")
	}
	if n := strings.Count(string(data), "\n"); n > 150 {
		t.Errorf("the skill has %d lines, more than 150", n)
	}
	for tool := range everyTool {
		if !strings.Contains(parts[2], "`"+tool+"`") {
			t.Errorf("the skill does not name the tool %s", tool)
		}
	}
	for _, word := range regexp.MustCompile("`((?:triage|plan|verify|check|explain|forecast)_[a-z]+)`").FindAllStringSubmatch(parts[2], -1) {
		if everyTool[word[1]] == nil {
			t.Errorf("the skill names the tool %s, which does not exist", word[1])
		}
	}
}
