package main

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// missingPages returns the Markdown files of docs without a page. A Hugo mount that skips a folder does not fail, and links to
// its files go to the repository.
func (s *site) missingPages(repository fs.FS) ([]error, error) {
	var missing []error
	err := fs.WalkDir(repository, "docs", func(name string, e fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		if s.pages[pageOf(name)] == nil {
			missing = append(missing, fmt.Errorf("%s: the site has no page of it", name))
		}
		return nil
	})
	return missing, err
}

// pageOf returns the file of Hugo's page for a Markdown file.
func pageOf(name string) string {
	name = strings.ToLower(strings.TrimSuffix(name, ".md"))
	if path.Base(name) == "readme" {
		name = path.Dir(name)
	}
	return path.Join(name, "index.html")
}
