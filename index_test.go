package nodetriage_test

import (
	"net/url"
	"path"
	"strings"
	"testing"
)

// Every page of docs can be reached from docs/README.md. A link to a folder leads to its pages.
func TestIndexLeadsToAllPages(t *testing.T) {
	pages := readPages(t)
	reached := map[string]bool{}
	for queue := []string{"docs/README.md"}; len(queue) > 0; queue = queue[1:] {
		from := queue[0]
		if reached[from] {
			continue
		}
		reached[from] = true
		for _, link := range pages[from].links {
			if u, err := url.Parse(link); err == nil && !u.IsAbs() && u.Path != "" {
				queue = append(queue, pagesAt(pages, path.Join(path.Dir(from), u.Path))...)
			}
		}
	}
	for name := range pages {
		if strings.HasPrefix(name, "docs/") && !reached[name] {
			t.Errorf("no link leads from docs/README.md to %s", name)
		}
	}
}

// pagesAt returns the page, or the pages of the folder.
func pagesAt(pages map[string]markdown, to string) []string {
	if _, known := pages[to]; known {
		return []string{to}
	}
	var out []string
	for name := range pages {
		if path.Dir(name) == to {
			out = append(out, name)
		}
	}
	return out
}
