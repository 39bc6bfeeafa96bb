// Command gendocs generates files from code and data: docs/causes and docs/questions from the catalog and the signatures,
// docs/rules.md from the rules, docs/coverage.md from docs/coverage.yaml, docs/cli from the commands' help, docs/schema from
// the types of the results, and knowledge/signatures/builtin.json.gz, which the program reads, from knowledge/signatures/data.
// With -check it changes nothing and fails if a file is out of date. Run it at the root of the repository.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/report"
)

func main() {
	check := flag.Bool("check", false, "change nothing; fail if a page is out of date")
	dir := flag.String("docs", "docs", "folder to write to")
	flag.Parse()
	if err := run(context.Background(), *dir, *check); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, check bool) error {
	pages, err := generate(ctx)
	if err != nil {
		return err
	}
	stale, err := leftovers(dir, pages)
	if err != nil {
		return err
	}
	if check {
		return compare(dir, pages, stale)
	}
	for _, name := range stale {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	for name, text := range pages {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns all pages, by their path from docs.
func generate(ctx context.Context) (map[string][]byte, error) {
	cat, err := catalog.Read(os.DirFS(catalogFolder)) // read the sources, because the built-in files may be out of date
	if err != nil {
		return nil, err
	}
	set, err := signatures.Read(os.DirFS(signaturesFolder))
	if err != nil {
		return nil, err
	}
	pages, err := carried()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, c := range cat.Causes() {
		b.Reset()
		fmt.Fprintf(&b, "<!-- Made by gendocs from knowledge/catalog/causes/%s.md; edit that file. -->\n", c.ID)
		if err := report.PageMarkdown(&b, report.NewPage(cat, set, c.ID)); err != nil {
			return nil, err
		}
		pages["causes/"+c.ID+".md"] = bytes.Clone(b.Bytes())
	}
	b.Reset()
	b.WriteString("<!-- Made by gendocs from the catalog. -->\n")
	if err := report.IndexMarkdown(&b, report.NewIndex(cat, check.Described())); err != nil {
		return nil, err
	}
	pages["rules.md"] = rulesPage()
	if pages["coverage.md"], err = coveragePage(); err != nil {
		return nil, err
	}
	pages["causes/README.md"] = bytes.Clone(b.Bytes())
	b.Reset()
	b.WriteString("<!-- Made by gendocs from answers/check; edit the checks. -->\n")
	if err := report.ChecksMarkdown(&b, check.Described()); err != nil {
		return nil, err
	}
	pages["checks.md"] = bytes.Clone(b.Bytes())
	for _, q := range cat.Questions() {
		b.Reset()
		fmt.Fprintf(&b, "<!-- Made by gendocs from knowledge/catalog/questions/%s.md; edit that file. -->\n", q.ID)
		if err := report.QuestionMarkdown(&b, report.NewQuestion(cat, q.ID), "../causes/"); err != nil {
			return nil, err
		}
		pages["questions/"+q.ID+".md"] = bytes.Clone(b.Bytes())
	}
	help, err := exec.CommandContext(ctx, "go", "run", "./cmd/nodetriage", "help", "-o", "markdown").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, fmt.Errorf("read the help of nodetriage: %w", err)
	}
	shapes, err := schemas()
	if err != nil {
		return nil, err
	}
	maps.Copy(pages, shapes)
	pages["cli/README.md"] = append([]byte("<!-- Made by gendocs from the help of the commands. -->\n"), help...)
	return pages, nil
}

// leftovers returns pages whose source no longer exists.
func leftovers(dir string, pages map[string][]byte) ([]string, error) {
	var stale []string
	for _, part := range []string{"causes", "questions", "cli", "schema"} {
		entries, err := os.ReadDir(filepath.Join(dir, part))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if name := part + "/" + e.Name(); pages[name] == nil {
				stale = append(stale, name)
			}
		}
	}
	return stale, nil
}

func compare(dir string, pages map[string][]byte, stale []string) error {
	bad := stale
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		have, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(have, pages[name]) {
			bad = append(bad, name)
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("%d files are out of date (%s): run make generate", len(bad), strings.Join(bad[:min(len(bad), 5)], ", "))
	}
	return nil
}
