package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html/atom"
)

// forge is the target of links to files of the repository that are not pages of the site.
const forge = "https://github.com/nodetriage/nodetriage/blob/main/"

// brokenLinks returns links to a page, a file or a heading that does not exist on the site, or to a missing file of the
// repository. It also returns what a page would load from elsewhere.
func (s *site) brokenLinks(repository fs.FS) []error {
	var wrong []error
	for _, name := range s.names() {
		for n := range s.pages[name].root.Descendants() {
			loads := n.DataAtom != atom.A
			for _, key := range []string{"href", "src"} {
				to := attribute(n, key)
				if to == "" {
					continue
				}
				s.links++
				if err := s.follow(name, to, loads, repository); err != nil {
					wrong = append(wrong, fmt.Errorf("%s: %s: %w", name, to, err))
				}
			}
		}
	}
	return wrong
}

// follow returns why a link of a page is broken; empty if it works.
func (s *site) follow(from, to string, loads bool, repository fs.FS) error {
	u, err := url.Parse(to)
	if err != nil {
		return err
	}
	if file, ours := strings.CutPrefix(to, forge); ours && !loads {
		return inRepository(file, repository)
	}
	if u.IsAbs() || u.Host != "" {
		if loads {
			return errors.New("the page loads it from elsewhere")
		}
		return nil
	}
	if strings.HasPrefix(u.Path, "/") {
		return errors.New("it begins at the root of the server, where the site need not be")
	}
	target := from
	if u.Path != "" {
		target = path.Join(path.Dir(from), u.Path)
		if info, err := fs.Stat(s.files, target); err == nil && info.IsDir() {
			target = path.Join(target, "index.html")
		}
		if _, err := fs.Stat(s.files, target); err != nil {
			return errors.New("the site has no such page")
		}
	}
	if u.Fragment == "" {
		return nil
	}
	if p := s.pages[target]; p == nil || !p.ids[u.Fragment] {
		return fmt.Errorf("%s has no place of that name", target)
	}
	return nil
}

// inRepository returns why a link to a file of the repository is broken; empty if it works.
func inRepository(link string, repository fs.FS) error {
	file, _, _ := strings.Cut(link, "#")
	file, err := url.PathUnescape(file)
	if err != nil {
		return err
	}
	if _, err := fs.Stat(repository, strings.TrimSuffix(file, "/")); err != nil {
		return errors.New("the repository has no such file")
	}
	return nil
}
