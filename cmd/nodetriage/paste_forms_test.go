//go:build unix

package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// pasteable returns the texts of an output that people paste into a shell: in JSON and YAML the fields of advice, elsewhere
// what begins with a program, up to the end of the line or of the markup.
func pasteable(t *testing.T, form, written string) []string {
	t.Helper()
	switch form {
	case "json", "yaml":
		var answer any
		if err := yaml.Unmarshal([]byte(written), &answer); err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		return advised(answer, false)
	case "sarif":
		var answer any
		if err := json.Unmarshal([]byte(written), &answer); err != nil {
			t.Fatal(err)
		}
		return commandsIn(escaped.ReplaceAllString(strings.Join(textsOf(answer), "\n"), "$1")) // some are Markdown
	case "junit":
		return commandsIn(charData(t, written))
	case "html":
		return commandsIn(html.UnescapeString(tag.ReplaceAllString(block.ReplaceAllString(written, "\n"), "")))
	case "markdown":
		return commandsIn(escaped.ReplaceAllString(strings.ReplaceAll(html.UnescapeString(written), "`", "\n"), "$1"))
	}
	return commandsIn(written)
}

var (
	// escaped matches an escaped Markdown character. No name adds a backslash to a command.
	escaped = regexp.MustCompile(`\\([[:punct:]])`)
	tag     = regexp.MustCompile(`<[^>]*>`)
	block   = regexp.MustCompile(`(?s)<(?:script|style)\b.*?</(?:script|style)>|</?(?:code|pre|p|li|td|th|tr|div|span|button|summary|h[1-6]|dd|dt|text)\b[^>]*>`)
)

// started matches the start of a command in a line.
var started = regexp.MustCompile(`(?:^|[\s:;(|&'"])((?:kubectl|az|aws|gcloud|eksctl|ssh|sudo|systemctl|crictl|journalctl|curl|nodetriage (?:check|collect|diagnose|diff|drain|explain|node-check|nodes|pods|budgets|pools|predict|repair|test|upgrade|verify|why|watch)|openssl|timeout|systemd-cgls) [^\s].*)$`)

// commandsIn returns the commands in a text.
func commandsIn(text string) (out []string) {
	for line := range strings.Lines(text) {
		if m := started.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			out = append(out, m[1])
		}
	}
	return out
}

// charData returns the text of an XML document and of its attributes.
func charData(t *testing.T, written string) string {
	t.Helper()
	var out strings.Builder
	for d := xml.NewDecoder(strings.NewReader(written)); ; {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return out.String()
		case err != nil:
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			out.Write(token)
		case xml.StartElement:
			for _, a := range token.Attr {
				out.WriteString("\n" + a.Value + "\n")
			}
		}
	}
}

// textsOf returns the strings of a JSON document.
func textsOf(v any) (out []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			out = append(out, textsOf(e)...)
		}
	case map[string]any:
		for _, e := range v {
			out = append(out, textsOf(e)...)
		}
	}
	return out
}

// advice lists the fields that contain commands.
var advice = []string{"how", "commands", "command", "run", "unblock", "ask", "verify", "cautions", "expect"}

// advised returns the texts in the advice fields of an answer.
func advised(v any, here bool) (out []string) {
	switch v := v.(type) {
	case string:
		if here {
			out = append(out, v)
		}
	case []any:
		for _, e := range v {
			out = append(out, advised(e, here)...)
		}
	case map[string]any:
		for key, e := range v {
			out = append(out, advised(e, slices.Contains(advice, key))...)
		}
	}
	return out
}
