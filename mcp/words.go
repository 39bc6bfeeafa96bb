package mcp

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// place matches the position of a name in a text of the catalog.
var place = lazyregexp.New(`\{([a-zA-Z][a-zA-Z0-9_-]*)\}`)

// ours finds the text of the catalog behind a text with names in it, so that the answer can use the words without the names. It
// returns false if none of the templates has become that text.
func ours(filled string, templates []string) (string, bool) {
	for _, t := range templates {
		if t == filled || becomes(t, filled) {
			return place.ReplaceAllString(t, "<$1>"), true
		}
	}
	return "", false
}

// becomes reports whether a text is the template with values in its {places}.
func becomes(template, filled string) bool {
	places := place.FindAllStringSubmatchIndex(template, -1)
	if len(places) == 0 {
		return false
	}
	var form strings.Builder
	form.WriteString("(?s)^")
	from := 0
	for _, at := range places {
		form.WriteString(regexp.QuoteMeta(template[from:at[0]]) + ".+?")
		from = at[1]
	}
	form.WriteString(regexp.QuoteMeta(template[from:]) + "$")
	is, err := regexp.Compile(form.String())
	return err == nil && is.MatchString(filled)
}

// worded returns an item that says a text: in our words if one of the templates has become it, else as text from outside.
func worded(kind, filled string, templates []string) Item {
	if says, ok := ours(filled, templates); ok {
		return Item{Kind: kind, Says: says}
	}
	return Item{Kind: kind, Untrusted: Data{Says: filled}}
}

// pageOf holds the texts of a cause as the catalog has them, without names.
type pageOf struct {
	title, impact              string
	cautions, titles, expected []string
}

// wordsOf returns the texts of a cause; unknown causes have none. titled is the title in a report, which may be that of a form.
func wordsOf(k *catalog.Catalog, id, titled string) pageOf {
	c := k.Cause(id)
	if c == nil {
		return pageOf{}
	}
	p := pageOf{title: c.Title, impact: c.Impact}
	for _, v := range c.Variants {
		if v.Title != "" && v.Title == titled {
			p.title, p.impact = titled, cmp.Or(v.Impact, c.Impact)
		}
	}
	for _, x := range c.Cautions {
		p.cautions = append(p.cautions, plain(x.Text))
	}
	for _, x := range c.Remedies {
		p.titles = append(p.titles, x.Title)
	}
	for _, x := range c.Confirm {
		p.expected = append(p.expected, plain(x.Expect))
	}
	return p
}

// plain returns a command or a sentence as a string, to print it.
func plain(t shell.Text) string { return shell.Strings([]shell.Text{t})[0] }
