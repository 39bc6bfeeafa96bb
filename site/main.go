// Command site does what Hugo does not. Before Hugo it writes the pages of the schemas and of the gallery, with the built
// program's answers about recorded incidents. After Hugo it writes the search index, and checks that no page is missing and no
// link is broken. It runs at the root of the repository: see make site.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 3 && args[0] == "pages":
		return pages(ctx, args[1], args[2])
	case len(args) == 2 && args[0] == "finish":
		return finish(args[1])
	}
	return errors.New("usage: site pages NODETRIAGE FOLDER, or site finish FOLDER")
}

// pages writes the input of Hugo in addition to the repository's pages: Markdown into the folder content, other files into the
// folder static.
func pages(ctx context.Context, nodetriage, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := schemaPages("docs/schema", to); err != nil {
		return err
	}
	return gallery(ctx, nodetriage, to)
}

// finish reads the output of Hugo, writes the search index, and fails if a file of docs has no page or a link is broken.
func finish(dir string) error {
	s, err := readSite(os.DirFS(dir))
	if err != nil {
		return err
	}
	index, err := s.index()
	if err != nil {
		return err
	}
	if err := write(dir, "search.json", index); err != nil {
		return err
	}
	missing, err := s.missingPages(os.DirFS("."))
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("%d files have no page:\n%w", len(missing), errors.Join(missing...))
	}
	if wrong := s.brokenLinks(os.DirFS(".")); len(wrong) > 0 {
		return fmt.Errorf("%d links lead nowhere:\n%w", len(wrong), errors.Join(wrong...))
	}
	fmt.Fprintf(os.Stderr, "%s: %d pages, %d links, index of %d kB\n", dir, len(s.pages), s.links, len(index)/1000)
	return nil
}
