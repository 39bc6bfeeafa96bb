package main

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// entry is a page in the search index.
type entry struct {
	URL   string `json:"url"` // from the root of the site
	Title string `json:"title"`
	Kind  string `json:"kind"`  // its folder
	Parts []part `json:"parts"` // in order
}

// part is the text under one heading, or before the first.
type part struct {
	ID      string `json:"id,omitempty"`
	Heading string `json:"heading,omitempty"`
	Text    string `json:"text"`
}

// index returns all pages in the form of the site, as JSON.
func (s *site) index() ([]byte, error) {
	var entries []entry
	for _, name := range s.names() {
		for n := range s.pages[name].root.Descendants() {
			if n.DataAtom == atom.Main && attribute(n, "id") == "page" {
				entries = append(entries, indexed(name, n))
			}
		}
	}
	return json.Marshal(entries)
}

func indexed(name string, main *html.Node) entry {
	url := strings.TrimSuffix(name, "index.html")
	e := entry{URL: url, Kind: path.Dir(strings.TrimSuffix(url, "/")), Parts: []part{{}}}
	for n := range main.ChildNodes() {
		at := &e.Parts[len(e.Parts)-1]
		switch n.DataAtom {
		case atom.H1:
			e.Title = text(n)
		case atom.H2, atom.H3, atom.H4:
			e.Parts = append(e.Parts, part{ID: attribute(n, "id"), Heading: text(n)})
		case atom.P:
			if attribute(n, "class") == "path" {
				continue
			}
			fallthrough
		default:
			at.Text = strings.TrimSpace(at.Text + " " + words(text(n)))
		}
	}
	return e
}

// escape matches a class or a boundary of a regular expression. The pages of causes show the patterns of messages, and people
// search for the words in them.
var escape = regexp.MustCompile(`\\[bBdDsSwW]`)

func words(text string) string {
	return strings.Join(strings.Fields(escape.ReplaceAllString(text, " ")), " ")
}
