package report_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/shell/shelltest"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// link matches what SARIF viewers treat as a link in a text: ]( without a backslash before it.
var link = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*\]\(`)

// Foreign names create no link, no control character and no address of another host in SARIF.
func TestSARIFEscapesHostileTexts(t *testing.T) {
	texts := append([]string{"[sign in](https://evil.example)", `\[x](https://evil.example)`, `\\[x](1)`, "//evil.example/x", "https://evil.example/x", "javascript:alert(1)"}, hostileTexts...)
	texts = append(texts, shelltest.Names...)
	r, w := poisoned[triage.Report](texts), poisoned[check.Review](texts)
	for i := range r.Findings {
		for j := range r.Findings[i].Evidence {
			r.Findings[i].Evidence[j].Locator = "line 3"
		}
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"report": func(b *bytes.Buffer) error { return report.SARIF(b, r, "v0") },
		"review": func(b *bytes.Buffer) error { return report.ReviewSARIF(b, w, "v0") },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(b.Bytes(), &tree); err != nil {
			t.Fatal(err)
		}
		seen := 0
		eachField(tree, "", func(key, s string) {
			seen++
			judgeSARIF(t, name, key, s)
		})
		if seen < 100 {
			t.Errorf("%s: %d texts, which cannot be all", name, seen)
		}
	}
}

func judgeSARIF(t *testing.T, name, key, s string) {
	t.Helper()
	control := func(r rune) bool { return r != '\n' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r)) }
	if strings.ContainsFunc(s, control) {
		t.Errorf("%s: %s has control characters: %q", name, key, s)
	}
	switch key {
	case "text":
		if link.MatchString(s) {
			t.Errorf("%s: a link: %q", name, s)
		}
	case "uri":
		if u, err := url.Parse(s); err != nil || u.Scheme != "" || u.Host != "" {
			t.Errorf("%s: a place elsewhere: %q %v", name, s, err)
		}
	}
}

// eachField visits the strings of a JSON document, with their keys.
func eachField(v any, key string, visit func(key, s string)) {
	switch v := v.(type) {
	case string:
		visit(key, v)
	case []any:
		for _, e := range v {
			eachField(e, key, visit)
		}
	case map[string]any:
		for k, e := range v {
			eachField(e, k, visit)
		}
	}
}

// A command in SARIF can be pasted: brackets that are not a link are not changed.
func TestSARIFKeepsCommands(t *testing.T) {
	r := poisoned[triage.Report]([]string{"x"})
	command := shell.Format(`for i in $(sed 's/\([0-9]*\)/\1/'); do [ $i = 1 ] || kubectl get pods -n {namespace} -l {selector}; done`, "a", "app in (b)")
	r.Findings[0].Remedies[0].Commands = []shell.Text{command}
	var b bytes.Buffer
	if err := report.SARIF(&b, r, "v0"); err != nil {
		t.Fatal(err)
	}
	found := false
	var tree any
	if err := json.Unmarshal(b.Bytes(), &tree); err != nil {
		t.Fatal(err)
	}
	eachField(tree, "", func(_, s string) { found = found || strings.Contains(s, string(command)) })
	if !found {
		t.Errorf("%q is not there", command)
	}
}
