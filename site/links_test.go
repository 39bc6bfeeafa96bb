package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

// A site with one broken link of each kind, and one working link of each kind.
func TestBrokenLinks(t *testing.T) {
	page := func(body string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("<!doctype html><body>" + body)}
	}
	for link, want := range map[string]string{
		`<a href="docs/">`:                         "",
		`<a href="docs/#there">`:                   "",
		`<a href="#here">`:                         "",
		`<a href="docs/a.json">`:                   "",
		`<a href="https://example.com/x">`:         "",
		`<a href="` + forge + `cases/x.txtar#L3">`: "",
		`<img src="docs/a.json">`:                  "",
		`<a href="docs/#away">`:                    "docs/index.html has no place of that name",
		`<a href="#away">`:                         "index.html has no place of that name",
		`<a href="nope/">`:                         "the site has no such page",
		`<a href="../above/">`:                     "the site has no such page",
		`<a href="/docs/">`:                        "it begins at the root of the server",
		`<a href="` + forge + `cases/nope">`:       "the repository has no such file",
		`<img src="https://example.com/x.png">`:    "the page loads it from elsewhere",
		`<script src="//example.com/x.js">`:        "the page loads it from elsewhere",
		`<link href="http://example.com/x.css">`:   "the page loads it from elsewhere",
	} {
		s, err := readSite(fstest.MapFS{"index.html": page(`<p id="here">` + link), "docs/index.html": page(`<p id="there">`), "docs/a.json": {}})
		if err != nil {
			t.Fatal(err)
		}
		wrong := s.brokenLinks(fstest.MapFS{"cases/x.txtar": {}})
		switch {
		case want == "" && len(wrong) > 0:
			t.Errorf("%s: %v", link, wrong)
		case want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0].Error(), want)):
			t.Errorf("%s: %v, want %q", link, wrong, want)
		}
	}
}
