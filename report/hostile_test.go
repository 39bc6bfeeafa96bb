package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	htmlpage "golang.org/x/net/html"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/answers/timeline"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// hostileTexts try to control a terminal, to run in a browser, and to break out of Markdown, XML and HTML.
var hostileTexts = []string{
	"\x1b[31mred\x1b[2J\x1b]0;title\x07\x1b]8;;http://evil\x07link",
	"\u009b31m\u0090q\u009c C1",
	"right\u202eleft\u2066\u200b\u200f\ufeff tags \U000e0041 \u2028next\u2029",
	"<script>alert(1)</script><img src=x onerror=alert(1)><style>*{}</style>",
	`"><svg onload=alert(1)> ' onmouseover='x' javascript:alert(1)`,
	"]]></testcase>&amp;&#x0;<!-- --><?xml?>",
	"```\n# heading\n\n- [x](javascript:alert(1)) ![i](http://evil/p.png) @everyone #1 https://evil www.evil.example <b>\n~~~\n| a | b |\n|---|---|",
	"1. one\n+ two\n=== \n***\n> quote\n    code\n&lt;",
	"{{.Title}} {{template \"x\"}} ${HOME} $(reboot) `reboot`",
	"\x00\x01\x7f\xff\xfe\xc3\x28 \ufffe\U0001ffff invalid",
	"Zalgo \u0301\u0301\u0301\u0301 \u00ad",
}

// poison fills every text of a value, at any depth, with the hostile texts in turn.
func poison(v reflect.Value, next func() string) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		if v.Type() == reflect.TypeFor[*time.Time]() {
			v.Elem().Set(reflect.ValueOf(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)))
			return
		}
		poison(v.Elem(), next)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() { // no form shows others
				poison(v.Field(i), next)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), len(hostileTexts), len(hostileTexts)))
		for i := range v.Len() {
			poison(v.Index(i), next)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		if v.Type().Key().Kind() == reflect.String && v.Type().Elem().Kind() == reflect.String {
			v.SetMapIndex(reflect.ValueOf("kubelet").Convert(v.Type().Key()), reflect.ValueOf(next()).Convert(v.Type().Elem()))
		}
	case reflect.String:
		switch v.Type() {
		case reflect.TypeFor[catalog.Severity]():
			v.SetString(string(catalog.Critical))
		case reflect.TypeFor[triage.Certainty]():
			v.SetString(string(triage.Likely))
		case reflect.TypeFor[triage.Verdict]():
			v.SetString(string(triage.Broken))
		case reflect.TypeFor[predict.Fate]():
			v.SetString(string(predict.Evicted))
		case reflect.TypeFor[predict.ReplacementKind]():
			v.SetString(string(predict.Created))
		case reflect.TypeFor[nodes.State]():
			v.SetString(string(nodes.Silent))
		case reflect.TypeFor[evidence.Kind]():
			if len(next())%2 == 0 {
				v.SetString(string(evidence.Pods))
			}
		default:
			v.SetString(next())
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Uint64:
		v.SetUint(3)
	}
}

func poisoned[T any](texts []string) *T {
	i := 0
	v := new(T)
	poison(reflect.ValueOf(v).Elem(), func() string { i++; return texts[i%len(texts)] })
	return v
}

func hostileSnapshot(texts []string, text string) *evidence.Snapshot {
	var d evidence.Data
	i := 0
	node := func() *evidence.Node {
		n := poisoned[evidence.Node](texts)
		n.CreationTimestamp.Time = time.Time{}
		i++
		n.Name += fmt.Sprint(i)
		for j := range n.Node.Status.Conditions {
			c := &n.Node.Status.Conditions[j]
			c.LastTransitionTime.Time = time.Date(2026, 11, 21, 9, j, 0, 0, time.UTC)
		}
		n.Node.Status.Conditions[0].Type, n.Node.Status.Conditions[0].Status = "Ready", "Unknown"
		return n
	}
	d.Nodes = []*evidence.Node{node(), node(), node()}
	d.TakenAt = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for _, t := range texts {
		d.Matches = append(d.Matches, &evidence.Match{
			Signature: t, Kind: evidence.TextLog, Ref: evidence.Ref{Source: t, Locator: t, Text: t + text}, Count: 2,
			First: d.TakenAt.Add(-time.Hour), Last: d.TakenAt.Add(-time.Minute),
		})
	}
	return evidence.New(d)
}

// hostileForms are all forms of a report, a map, a node or a page.
func hostileForms(extra string) map[string]func(io.Writer) error {
	return formsOf(append(slices.Clone(hostileTexts), extra), extra)
}

// formsOf returns the forms of values with only these texts.
func formsOf(texts []string, extra string) map[string]func(io.Writer) error {
	r, silent := poisoned[triage.Report](texts), poisoned[triage.Report](texts)
	silent.Findings = nil // what is shown where nothing was found
	m, d, p, x := poisoned[nodes.Map](texts), poisoned[nodes.Detail](texts), poisoned[report.Page](texts), poisoned[report.Index](texts)
	p.Kind = "Cause"
	f, u := poisoned[predict.Forecast](texts), poisoned[upgrade.Plan](texts)
	s := hostileSnapshot(texts, extra)
	style := report.Style{Width: 80, Wide: true}
	v := poisoned[verify.Verification](texts)
	pools, onePool, o, pods := poisoned[lists.Pools](texts), poisoned[lists.Pools](texts), poisoned[lists.Operations](texts), poisoned[lists.Pods](texts)
	onePool.One, onePool.Pools = true, onePool.Pools[:1]
	return map[string]func(io.Writer) error{
		"text":            func(w io.Writer) error { return report.Text(w, r, report.Style{Width: 80}) },
		"silent text":     func(w io.Writer) error { return report.Text(w, silent, report.Style{Width: 80}) },
		"silent wide":     func(w io.Writer) error { return report.Text(w, silent, style) },
		"silent markdown": func(w io.Writer) error { return report.Markdown(w, silent) },
		"silent html": func(w io.Writer) error {
			return report.HTML(w, report.Incident{Report: silent, Snapshot: s, Version: "v0"})
		},
		"verify":   func(w io.Writer) error { return report.Verification(w, v, style) },
		"wide":     func(w io.Writer) error { return report.Text(w, r, style) },
		"json":     func(w io.Writer) error { return report.JSON(w, r) },
		"yaml":     func(w io.Writer) error { return report.YAML(w, r) },
		"markdown": func(w io.Writer) error { return report.Markdown(w, r) },
		"junit":    func(w io.Writer) error { return report.JUnit(w, r, m) },
		"sarif":    func(w io.Writer) error { return report.SARIF(w, r, "v0") },
		"html": func(w io.Writer) error {
			return report.HTML(w, report.Incident{Report: r, Snapshot: s, Version: "v0"})
		},
		"nodes":      func(w io.Writer) error { return report.Map(w, m, style) },
		"nodes html": func(w io.Writer) error { return report.MapHTML(w, m, "v0") },
		"node":       func(w io.Writer) error { return report.Node(w, d, style) },
		"node html": func(w io.Writer) error {
			return report.NodeHTML(w, report.NodeIncident{Detail: d, Timeline: timeline.New(s, nil, "")})
		},
		"forecast":      func(w io.Writer) error { return report.Forecast(w, f, style) },
		"forecast html": func(w io.Writer) error { return report.ForecastHTML(w, f, "v0") },
		"upgrade":       func(w io.Writer) error { return report.Upgrade(w, u, style) },
		"upgrade html":  func(w io.Writer) error { return report.UpgradeHTML(w, u, "v0") },
		"page":          func(w io.Writer) error { return report.Explain(w, p, style) },
		"page markdown": func(w io.Writer) error { p := *p; p.Meaning = ""; return report.PageMarkdown(w, &p) },
		"list":          func(w io.Writer) error { return report.ExplainList(w, x, style) },
		"list markdown": func(w io.Writer) error { return report.IndexMarkdown(w, x) },

		"pools":               func(w io.Writer) error { return report.Pools(w, pools, style) },
		"pools markdown":      func(w io.Writer) error { return report.PoolsMarkdown(w, pools) },
		"pools html":          func(w io.Writer) error { return report.PoolsHTML(w, pools, "v0") },
		"one pool html":       func(w io.Writer) error { return report.PoolsHTML(w, onePool, "v0") },
		"one pool":            func(w io.Writer) error { return report.Pools(w, onePool, style) },
		"operations":          func(w io.Writer) error { return report.Operations(w, o, style) },
		"operations markdown": func(w io.Writer) error { return report.OperationsMarkdown(w, o) },
		"operations html":     func(w io.Writer) error { return report.OperationsHTML(w, o, "v0") },
		"pods":                func(w io.Writer) error { return report.Pods(w, pods, report.Style{Width: 80}) },
		"pods markdown":       func(w io.Writer) error { return report.PodsMarkdown(w, pods) },
		"pods html":           func(w io.Writer) error { return report.PodsHTML(w, pods, "v0") },
		"budgets html":        func(w io.Writer) error { return report.BudgetsHTML(w, poisoned[lists.Budgets](texts), "v0") },
		"daemonsets html":     func(w io.Writer) error { return report.DaemonSetsHTML(w, poisoned[lists.DaemonSets](texts), "v0") },
	}
}

func TestHostileTextStaysText(t *testing.T) {
	for name, write := range hostileForms("plain") {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			harmlessOnATerminal(t, b.String())
			switch {
			case strings.Contains(name, "html"):
				harmlessInABrowser(t, b.String())
			case strings.Contains(name, "markdown"):
				harmlessInATicket(t, b.String())
			case name == "junit":
				if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
					t.Errorf("no XML: %v", err)
				}
			case name == "json":
				if err := json.Unmarshal(b.Bytes(), new(triage.Report)); err != nil {
					t.Errorf("cannot be read back: %v", err)
				}
			case name == "yaml":
				if err := yaml.Unmarshal(b.Bytes(), new(triage.Report)); err != nil {
					t.Errorf("cannot be read back: %v", err)
				}
			}
		})
	}
}

// For all texts, a page has the same elements with the same attributes: text cannot break out of its position.
func TestHostileTextChangesNoElement(t *testing.T) {
	hostile := "<b onclick=\"x\">'y' </title></style></script>--> &lt; &amp;\njavascript:alert(1) [z](javascript:alert(1)) {{.}} \x00"
	harmless := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ' || r == '\n' {
			return r
		}
		return 'x'
	}, hostile)
	several := func(text string) []string { return []string{text, text + " a", text + " b", text} } // what is said twice is shown once
	forms, plain := formsOf(several(hostile), hostile), formsOf(several(harmless), harmless)
	for name, write := range forms {
		if !strings.Contains(name, "html") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var b, harmlessText bytes.Buffer
			if err := errors.Join(write(&b), plain[name](&harmlessText)); err != nil {
				t.Fatal(err)
			}
			got, text := outline(t, b.String())
			want, _ := outline(t, harmlessText.String())
			if got != want {
				t.Errorf("hostile text changes the page: %s", firstDifference(got, want))
			}
			if shown := "<b onclick=\"x\">'y' </title></style></script>--> &lt; &amp; javascript:alert(1) [z](javascript:alert(1)) {{.}} \ufffd"; !strings.Contains(text, shown) {
				t.Errorf("the text is not shown as it is: %s", text)
			}
		})
	}
}

// outline lists the elements of a page as a browser parses them, with the names of their attributes, and separately all text of
// the page.
func outline(t *testing.T, page string) (elements, text string) {
	t.Helper()
	root, err := htmlpage.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var out, words strings.Builder
	var walk func(n *htmlpage.Node, depth int)
	walk = func(n *htmlpage.Node, depth int) {
		switch n.Type {
		case htmlpage.TextNode:
			words.WriteString(n.Data)
		case htmlpage.ElementNode, htmlpage.CommentNode, htmlpage.DoctypeNode:
			fmt.Fprintf(&out, "%*s%d %s", depth, "", n.Type, n.Data)
			for _, a := range n.Attr {
				fmt.Fprintf(&out, " %s", a.Key)
			}
			out.WriteByte('\n')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, depth+1)
		}
	}
	walk(root, 0)
	return out.String(), words.String()
}

// JSON is for programs: it is harmless and exact.
func TestJSONIsExact(t *testing.T) {
	for _, text := range hostileTexts {
		if !utf8.ValidString(text) {
			continue
		}
		var b bytes.Buffer
		if err := report.JSON(&b, text); err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != text {
			t.Errorf("%q became %q, %v", text, back, err)
		}
	}
}

// Every part of a report is in every form for people: poison reaches each field, and each of these leaves a trace.
func TestEveryPartIsShown(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	r := &triage.Report{
		TakenAt: &at, Verdict: triage.Broken, Source: "folder x",
		Findings: []triage.Finding{
			{Cause: "first", Title: "The first", Severity: catalog.Error, Certainty: triage.Possible, Since: &at},
			{Cause: "second", Title: "The second", Severity: catalog.Error, Certainty: triage.Likely, Evidence: []evidence.Ref{{Source: "log", Text: "TRACE-second"}}},
		},
		Symptoms: []triage.Symptom{{ID: "open", Title: "TRACE-symptom", Evidence: []evidence.Ref{{Source: "log", Text: "TRACE-sight"}}}},
		Over:     []triage.Over{{Cause: "past", Title: "TRACE-over", EndedBy: "TRACE-end", From: &at}},
		StandsOut: []triage.Line{
			{Text: "TRACE-line", Source: "TRACE-source", Locator: "line 3", Speaker: "TRACE-speaker", ObservedAt: &at},
		},
		Groups: []triage.Group{{Cause: "first", Findings: []string{"first"}}, {Cause: "second", Findings: []string{"second"}, Subjects: []evidence.Subject{evidence.NodeSubject("TRACE-hurt")}}},
	}
	last := at.Add(-time.Minute)
	r.Findings[1].Since, r.Findings[1].LastSeen = &at, &last
	for name, write := range map[string]func(io.Writer) error{
		"text":     func(w io.Writer) error { return report.Text(w, r, report.Style{Width: 80}) },
		"wide":     func(w io.Writer) error { return report.Text(w, r, report.Style{Width: 80, Wide: true}) },
		"markdown": func(w io.Writer) error { return report.Markdown(w, r) },
		"junit":    func(w io.Writer) error { return report.JUnit(w, r, &nodes.Map{}) },
		"html": func(w io.Writer) error {
			return report.HTML(w, report.Incident{Report: r, Snapshot: evidence.New(evidence.Data{})})
		},
		"json": func(w io.Writer) error { return report.JSON(w, r) },
		"yaml": func(w io.Writer) error { return report.YAML(w, r) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"second", "symptom", "sight", "over", "end", "line", "source", "speaker", "hurt"} {
				if !strings.Contains(b.String(), "TRACE-"+want) {
					t.Errorf("%s is not there", want)
				}
			}
			if human := name != "json" && name != "yaml"; human {
				text := strings.Join(strings.Fields(b.String()), " ") // wrapped anywhere
				for _, want := range []string{"2 independent faults, on 1 node", "last seen 08:59:00Z"} {
					if !strings.Contains(text, want) {
						t.Errorf("%q is not there", want)
					}
				}
			}
		})
	}
}

// A log line can be as long as its file. Forms for people are limited for any input.
func TestTenMegabytesStaySmall(t *testing.T) {
	forms := hostileForms(strings.Repeat("<b>`x` \x1b[31m", 10<<20/12))
	for _, name := range []string{"text", "silent text", "wide", "markdown", "junit", "html", "nodes", "node", "node html", "verify"} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := forms[name](&b); err != nil {
				t.Fatal(err)
			}
			if b.Len() > 4<<20 {
				t.Errorf("%d bytes", b.Len())
			}
			harmlessOnATerminal(t, b.String())
		})
	}
}

func harmlessOnATerminal(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Error("is not UTF-8")
	}
	for i, r := range out {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point) {
			t.Fatalf("%U at %q", r, out[max(0, i-30):min(len(out), i+30)])
		}
	}
}

// allowed are the elements of our page, and attributes that load or run nothing.
var (
	allowedElements = strings.Fields("html head meta title style body main header footer section h1 h2 h3 p span strong code pre a " +
		"mark ul ol li table thead tbody tr th td details summary div figure figcaption br " +
		"svg symbol circle path rect text g title use line defs marker")
	allowedAttributes = strings.Fields("lang charset http-equiv content name class id href title scope aria-hidden aria-label role open colspan " +
		"width height viewBox x y x1 x2 y1 y2 cx cy r rx d text-anchor font-size marker-end refX refY markerWidth markerHeight orient")
)

func harmlessInABrowser(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("cannot be parsed: %v", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains(allowedElements, start.Name.Local) {
			t.Errorf("element %s", start.Name.Local)
		}
		for _, a := range start.Attr {
			if !slices.Contains(allowedAttributes, a.Name.Local) {
				t.Errorf("attribute %s of %s", a.Name.Local, start.Name.Local)
			}
			if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
				t.Errorf("a link to %s", a.Value)
			}
		}
	}
}

var tags = regexp.MustCompile(`<([a-zA-Z][a-zA-Z0-9]*)([^>]*)>`)

// harmlessInATicket renders Markdown like a tracker that allows HTML, and checks the result.
func harmlessInATicket(t *testing.T, text string) {
	t.Helper()
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	var b bytes.Buffer
	if err := md.Convert([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	for _, tag := range tags.FindAllStringSubmatch(b.String(), -1) {
		switch tag[1] {
		case "h1", "h2", "h3", "p", "ul", "ol", "li", "code", "pre", "br":
		case "a": // pages of the catalog link each other
			if !strings.HasSuffix(tag[2], `.md"`) && !strings.HasSuffix(tag[2], `#symptoms"`) {
				t.Errorf("a link: %s", tag[0])
			}
		default:
			t.Errorf("element %s", tag[0])
		}
	}
	outside := regexp.MustCompile(`(?s)<pre>.*?</pre>|<code>.*?</code>`).ReplaceAllString(b.String(), "")
	if m := regexp.MustCompile(`(?:^|[\s(])@[a-z]+`).FindString(outside); m != "" {
		t.Errorf("mentions %s", m)
	}
}

func FuzzMarkdownEscaping(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := &triage.Report{Verdict: triage.Broken, Source: text, Findings: []triage.Finding{{
			Cause: text, Title: text, Summary: text, Severity: catalog.Error, Certainty: triage.Likely,
			Evidence: []evidence.Ref{{Source: text, Text: text}}, Remedies: []catalog.Remedy{{Title: text, Commands: []shell.Text{shell.Text(text)}, Risk: "low"}},
		}}}
		var b bytes.Buffer
		if err := report.Markdown(&b, r); err != nil {
			t.Fatal(err)
		}
		harmlessOnATerminal(t, b.String())
		harmlessInATicket(t, b.String())
	})
}

func FuzzClean(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean := report.Clean(text)
		harmlessOnATerminal(t, clean)
		if strings.Contains(clean, "\n") {
			t.Error("a line end was left in")
		}
		if again := report.Clean(clean); again != clean {
			t.Errorf("cleaning twice gives %q", again)
		}
	})
}
