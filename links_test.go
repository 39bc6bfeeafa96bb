package nodetriage_test

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	source "github.com/yuin/goldmark/text"
)

// What a page links to is there: the file, and the heading in it.
func TestLinksLeadSomewhere(t *testing.T) {
	pages := readPages(t)
	if len(pages["README.md"].links) == 0 || len(pages["docs/causes/runtime-hung.md"].links) == 0 {
		t.Fatal("no links were read")
	}
	for name, page := range pages {
		for _, link := range page.links {
			if err := follow(pages, name, link); err != nil {
				t.Errorf("%s: link to %s: %v", name, link, err)
			}
		}
	}
}

// The test of links sees what is broken.
func TestBrokenLinks(t *testing.T) {
	pages := map[string]markdown{"docs/a.md": readMarkdown([]byte("# A page: `--flag`, and more_\n\n## Twice\n\n## Twice\n"))}
	for link, right := range map[string]bool{
		"#a-page---flag-and-more_": true, "a.md#twice": true, "#twice-1": true, "../docs/a.md": true, "https://example.com/x#y": true,
		"#twice-2": false, "a.md#no": false, "b.md": false, "../../outside.md": false, "/docs/a.md": false,
	} {
		if err := follow(pages, "docs/a.md", link); (err == nil) != right {
			t.Errorf("link to %s: %v", link, err)
		}
	}
}

// markdown is what a page links to, and what can be linked to in it.
type markdown struct {
	links   []string
	anchors map[string]bool
}

// readPages reads the pages of the repository that people read there: not what tests read, nor the catalog, whose pages
// are in docs.
func readPages(t *testing.T) map[string]markdown {
	t.Helper()
	pages := map[string]markdown{}
	files := os.DirFS(".")
	err := walkTop(files, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || name == "bin" || name == "dist" || name == "knowledge/catalog" || name == "site"):
			return fs.SkipDir
		case e.IsDir() || path.Ext(name) != ".md":
			return nil
		}
		page, err := fs.ReadFile(files, name)
		if err == nil {
			pages[name] = readMarkdown(page)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func readMarkdown(page []byte) markdown {
	out := markdown{anchors: map[string]bool{}}
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(source.NewReader(page))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch x := n.(type) {
		case *ast.Link:
			if entering {
				out.links = append(out.links, string(x.Destination))
			}
		case *ast.Heading:
			if entering {
				out.anchors[anchor(out.anchors, words(x, page))] = true
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

// words are the text of a heading, without its marks.
func words(n ast.Node, page []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if leaf, ok := c.(*ast.Text); ok {
			b.Write(leaf.Value(page))
		}
		b.WriteString(words(c, page))
	}
	return b.String()
}

// anchor is the name by which forges link to a heading: small letters, digits, dashes for spaces; a number if it is taken.
func anchor(taken map[string]bool, heading string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
	free := name
	for i := 1; taken[free]; i++ {
		free = fmt.Sprintf("%s-%d", name, i)
	}
	return free
}

// follow says why a link of a page leads nowhere. What is outside of the repository is not looked at.
func follow(pages map[string]markdown, from, link string) error {
	u, err := url.Parse(link)
	if err != nil || u.IsAbs() {
		return err
	}
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
		if _, known := pages[to]; !known {
			if !fs.ValidPath(to) || strings.HasPrefix(u.Path, "/") {
				return fmt.Errorf("it leads out of the repository")
			}
			if _, err := os.Stat(to); err != nil {
				return fmt.Errorf("there is no such file")
			}
		}
	}
	if page, known := pages[to]; known && u.Fragment != "" && !page.anchors[u.Fragment] {
		return fmt.Errorf("%s has no heading of that name", to)
	}
	return nil
}
