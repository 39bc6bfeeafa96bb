package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write the table of the chart's README.md anew")

const chartDir = "../../charts/nodetriage/"

// value is a value of the chart in its schema.
type value struct {
	Name        string
	Default     any
	Description string
	Properties  map[string]value
}

func chartValues(t *testing.T) []value {
	t.Helper()
	data, err := os.ReadFile(chartDir + "values.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root value
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	var out []value
	var walk func(prefix string, v value)
	walk = func(prefix string, v value) {
		for name, p := range v.Properties {
			p.Name = strings.TrimPrefix(prefix+"."+name, ".")
			if p.Properties != nil {
				walk(p.Name, p)
			} else if p.Name != "global" {
				out = append(out, p)
			}
		}
	}
	walk("", root)
	slices.SortFunc(out, func(a, b value) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// The values of the chart are all defaults of its schema.
func TestChartDefaults(t *testing.T) {
	data, err := os.ReadFile(chartDir + "values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var have any
	if err := yaml.Unmarshal(data, &have); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{}
	for _, v := range chartValues(t) {
		at := want
		names := strings.Split(v.Name, ".")
		for _, name := range names[:len(names)-1] {
			if at[name] == nil {
				at[name] = map[string]any{}
			}
			at = at[name].(map[string]any)
		}
		at[names[len(names)-1]] = v.Default
	}
	if !reflect.DeepEqual(have, any(want)) {
		t.Errorf("values.yaml has\n%v\nthe schema's defaults are\n%v", have, want)
	}
}

// The README lists every value with its default, as in the schema.
func TestChartReadme(t *testing.T) {
	var b strings.Builder
	b.WriteString("| value | default | what it does |\n|---|---|---|\n")
	for _, v := range chartValues(t) {
		standard, err := json.Marshal(v.Default)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", v.Name, standard, v.Description)
	}
	text, err := os.ReadFile(chartDir + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)\| value \| default.*?\n\n`)
	want := table.ReplaceAllLiteralString(string(text), b.String()+"\n")
	if *update {
		if err := os.WriteFile(chartDir+"README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(text) {
		t.Error("the table of the chart's README.md is not what its schema says: cd hack/release && go test . -update")
	}
}

// The packed chart has the version of the release everywhere.
func TestChartHasItsVersion(t *testing.T) {
	files, err := chartFiles("../../charts/nodetriage", "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	var about struct{ Version, AppVersion string }
	if err := yaml.Unmarshal(files[0].data, &about); err != nil {
		t.Fatal(err)
	}
	if files[0].name != "nodetriage/Chart.yaml" || about.Version != "1.2.3" || about.AppVersion != "1.2.3" || !strings.Contains(string(files[0].data), "nodetriage-agent:1.2.3") {
		t.Errorf("%s is\n%s", files[0].name, files[0].data)
	}
}
