package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Escaping cannot be forgotten: only our own constants, and names of elements and attributes, are not escaped.
func TestDrawsNothingRaw(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	constants := []string{"style", "stateShapes", "arrow", "contentPolicy"}
	seen := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && (f.Name.Name == "number" || f.Name.Name == "leaf") { // they take the name of an attribute or element
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				switch called := lastName(call.Fun); called {
				case "Raw":
					raw := lastName(call.Args[0])
					if seen[raw] = true; !slices.Contains(constants, raw) {
						t.Errorf("%s: %s draws without escaping what is not a constant of ours", name, raw)
					}
				case "Rawf":
					t.Errorf("%s: Rawf does not escape", name)
				case "El", "Attr", "Data", "Aria", "number", "leaf":
					if _, literal := call.Args[0].(*ast.BasicLit); !literal {
						t.Errorf("%s: %s takes a name that is not a literal: names are not escaped", name, called)
					}
				case "Href":
					seen["Href in "+name] = true
				}
				return true
			})
		}
	}
	for _, want := range append(constants, "Href in draw_markdown.go", "Href in draw_map.go") {
		if !seen[want] {
			t.Errorf("this test does not see %s", want)
		}
		delete(seen, want)
	}
	if len(seen) > 0 {
		t.Errorf("links are made elsewhere: %v", seen)
	}
}

// lastName is the last name of what is called or given.
func lastName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.CallExpr:
		return lastName(x.Fun)
	case *ast.BasicLit:
		return x.Value
	}
	return "an expression"
}

func TestSafeAddress(t *testing.T) {
	for address, want := range map[string]bool{
		"https://kubernetes.io/docs": true, "http://localhost:8080": true, "HTTPS://a": true, "#symptoms": true,
		"javascript:alert(1)": false, "JavaScript:alert(1)": false, " javascript:alert(1)": false, "java\nscript:alert(1)": false,
		"data:text/html,x": false, "vbscript:x": false, "file:///etc/passwd": false, "mailto:a@b": false, "//host/x": false, "page.md": false, "": false,
	} {
		if got := safeAddress(address); got != want {
			t.Errorf("safeAddress(%q) = %v", address, got)
		}
	}
}

func TestDrawsMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"a *b* **c** `d <e>` \\* &amp; \"f\"": "<p>a <em>b</em> <strong>c</strong> <code>d &lt;e&gt;</code> * &amp; &#34;f&#34;</p>\n",
		"\\&amp; &#60;b&#62;":                 "<p>&amp;amp; &lt;b&gt;</p>\n",
		"one\ntwo  \nthree":                   "<p>one\ntwo\nthree</p>\n", // Clean takes the two spaces
		"one\\\ntwo":                          "<p>one<br>\ntwo</p>\n",
		"- a\n- b":                            "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n",
		"3. a\n\n4. b":                        "<ol start=\"3\">\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ol>\n",
		"# a\n\n> b\n\n---":                   "<h1>a</h1>\n<blockquote>\n<p>b</p>\n</blockquote>\n<hr>\n",
		"```sh\nls <a>\n```\n\n    more":      "<pre><code>ls &lt;a&gt;\n</code></pre>\n<pre><code>more\n</code></pre>\n",
		"[a](https://b/?c=\"&d 'e')":          "<p><a href=\"https://b/?c=%22&amp;d\" title=\"e\">a</a></p>\n",
		"[a](https://b/?c&d \"e'\")":          "<p><a href=\"https://b/?c&amp;d\" title=\"e&#39;\">a</a></p>\n",
		"[a](javascript:alert(1)) <javascript:alert(1)> [b](c.md)": "<p>a javascript:alert(1) b</p>\n",
		"![a](https://b/c.png) <img src=x onerror=alert(1)>d":      "<p>a d</p>\n",
		"<script>alert(1)</script>":                                "",
		"<https://a> [b][c]\n\n[c]: #d":                            "<p><a href=\"https://a\">https://a</a> <a href=\"#d\">b</a></p>\n",
	} {
		var b strings.Builder
		if err := drawMarkdown(text).Render(&b); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%q is drawn as\n%s\nwant\n%s", text, b.String(), want)
		}
	}
}

// Any page of the catalog is drawn only with these elements.
func FuzzDrawMarkdown(f *testing.F) {
	f.Add("[a](javascript:x \"<b>\") ![c](d) <e f='g'> `h` &lt;script&gt; \\<i\\>\n\n- j\n\n> <k\n\n```l\"m\n</pre>\n```")
	f.Add("<a href=\"javascript:x\">y</a>\n\n[z]: vbscript:x '\"'\n[z]\n***\n")
	elements := strings.Fields("html head body p em strong code pre ul ol li a br hr blockquote h1 h2 h3 h4 h5 h6")
	f.Fuzz(func(t *testing.T, text string) {
		var b strings.Builder
		if err := drawMarkdown(text).Render(&b); err != nil {
			t.Fatal(err)
		}
		page, err := html.Parse(strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		for n := range page.Descendants() {
			if n.Type == html.CommentNode || n.Type == html.ElementNode && !slices.Contains(elements, n.Data) {
				t.Errorf("%q becomes an element %q", text, n.Data)
			}
			for _, a := range n.Attr {
				if !slices.Contains([]string{"href", "title", "start"}, a.Key) || a.Key == "href" && !safeAddress(a.Val) {
					t.Errorf("%q becomes an attribute %s=%q", text, a.Key, a.Val)
				}
			}
		}
	})
}
