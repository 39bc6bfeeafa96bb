package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// site is the output of Hugo.
type site struct {
	files fs.FS
	pages map[string]*page // by path of the file, from the root of the site
	links int              // how many were checked
}

// page is one file of HTML.
type page struct {
	root *html.Node
	ids  map[string]bool
}

func readSite(files fs.FS) (*site, error) {
	s := &site{files: files, pages: map[string]*page{}}
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Ext(name) != ".html" {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		root, err := html.Parse(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		p := &page{root, map[string]bool{}}
		for n := range root.Descendants() {
			if id := attribute(n, "id"); id != "" {
				p.ids[id] = true
			}
		}
		s.pages[name] = p
		return nil
	})
	if err == nil && len(s.pages) == 0 {
		err = fmt.Errorf("read the site: there is no page")
	}
	return s, err
}

// names returns the files of all pages, in order.
func (s *site) names() []string {
	return slices.Sorted(maps.Keys(s.pages))
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// text returns the text of a node, without navigation.
func text(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.DataAtom == atom.A && attribute(n, "class") == "anchor":
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		if block[n.DataAtom] {
			b.WriteByte(' ')
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// block lists elements that end a word.
var block = map[atom.Atom]bool{atom.P: true, atom.Li: true, atom.Pre: true, atom.Td: true, atom.Th: true, atom.Br: true, atom.Div: true, atom.Table: true, atom.Ul: true, atom.Ol: true}
