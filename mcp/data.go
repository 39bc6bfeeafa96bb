package mcp

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/report"
)

// Data is text from outside: names of objects, messages, log lines, and texts of nodetriage that contain such names.
type Data struct {
	Objects  []string `json:"objects,omitempty" jsonschema:"names of objects"`
	More     int      `json:"more,omitempty" jsonschema:"number of objects that are left out"`
	Says     string   `json:"says,omitempty" jsonschema:"a sentence that contains names or messages from outside"`
	Line     string   `json:"line,omitempty" jsonschema:"the decisive log line, message or field, as it was read"`
	Source   string   `json:"source,omitempty" jsonschema:"where the line was read"`
	At       string   `json:"at,omitempty" jsonschema:"when the line was written"`
	Commands []string `json:"commands,omitempty" jsonschema:"commands of nodetriage, with names from outside in them; a person decides whether to run them"`
}

// Limits of Data, in bytes of an answer (see cost).
const (
	longName    = 300
	longSays    = 1500
	longLine    = 3000
	longCommand = 900
	mostObjects = 10
	mostRuns    = 8
)

// bounded returns the data without hostile characters, with at most so much of each field. A list of commands is complete or absent.
func (d Data) bounded() Data {
	if n := len(d.Objects) - mostObjects; n > 0 {
		d.Objects, d.More = d.Objects[:mostObjects], d.More+n
	}
	d.Objects = each(d.Objects, longName)
	d.Says, d.Line, d.Source = cut(d.Says, longSays), cut(d.Line, longLine), cut(d.Source, longName)
	tooLong := func(c string) bool { return cost(c) > longCommand }
	if len(d.Commands) > mostRuns || slices.ContainsFunc(d.Commands, tooLong) {
		d.Commands = nil
	}
	d.Commands = each(d.Commands, longCommand)
	return d
}

// shrunk returns the data with about half of its texts, and without commands.
func (d Data) shrunk() Data {
	d.Commands = nil
	if n := len(d.Objects) / 2; n > 0 {
		d.Objects, d.More = d.Objects[:len(d.Objects)-n], d.More+n
	}
	d.Says, d.Line, d.Source = cut(d.Says, cost(d.Says)/2), cut(d.Line, cost(d.Line)/2), cut(d.Source, cost(d.Source)/2)
	return d
}

func each(list []string, most int) []string {
	var out []string
	for _, s := range list {
		out = append(out, cut(s, most))
	}
	return out
}

// cost is how many bytes a value takes in an answer, which has it twice: as structured content, and as JSON in a text.
func cost(v any) int {
	once, err := json.Marshal(v)
	if err != nil {
		return MaxAnswer
	}
	twice, err := json.Marshal(string(once))
	if err != nil {
		return MaxAnswer
	}
	return len(once) + len(twice)
}

const ellipsis = "..."

// cut makes a text safe to read and shortens it to a cost.
func cut(s string, most int) string { return shorten(report.Clean(s), most) }

// cutLines does the same with a text of the catalog, and keeps its lines.
func cutLines(s string, most int) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = report.Clean(line)
	}
	return shorten(strings.Join(lines, "\n"), most)
}

func shorten(s string, most int) string {
	if s == "" || cost(s) <= most {
		return s
	}
	for cost(s+ellipsis) > most && s != "" {
		keep := max(len(s)*most/cost(s+ellipsis)-1, 0)
		for keep > 0 && !utf8.RuneStart(s[keep]) {
			keep--
		}
		s = s[:keep]
	}
	return s + ellipsis
}

// commands returns the commands as text, without empty ones.
func commands(list []shell.Text) []string {
	return slices.DeleteFunc(shell.Strings(list), func(c string) bool { return c == "" })
}

// names returns the names of subjects.
func names(list []evidence.Subject) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.String())
	}
	return out
}
