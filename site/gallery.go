package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/cases"
)

// answer is one page of the gallery: the program's answer about a recorded or captured incident.
type answer struct {
	Name  string `json:"name"`  // of the page
	Title string `json:"title"` // what is shown
	Case  string `json:"case"`  // file of the evidence
	Run   string `json:"run"`   // the command, with CASE for the file
}

//go:embed gallery.yaml
var answers []byte

// exits are the exit codes of a result, rather than a failure.
var exits = []int{0, 3, 4}

// gallery runs the command of each answer, and writes its page and the index page.
func gallery(ctx context.Context, nodetriage, to string) error {
	var list []answer
	if err := yaml.UnmarshalStrict(answers, &list); err != nil {
		return fmt.Errorf("read site/gallery.yaml: %w", err)
	}
	var index strings.Builder
	index.WriteString("# Gallery\n\nOutput of the program with `-o html`, for incidents that were recorded in the lab or captured from real systems. " +
		"The evidence is in the repository. Each command prints the same page there.\n")
	for _, a := range list {
		c, err := a.evidence()
		if err != nil {
			return fmt.Errorf("make page %s of the gallery: %w", a.Name, err)
		}
		page, err := a.ask(ctx, nodetriage)
		if err != nil {
			return fmt.Errorf("make page %s of the gallery: %w", a.Name, err)
		}
		if page, err = a.headed(page, c); err != nil {
			return fmt.Errorf("make page %s of the gallery: %w", a.Name, err)
		}
		if err := write(to, "static/gallery/"+a.Name+".html", page); err != nil {
			return err
		}
		fmt.Fprintf(&index, "\n## %s\n\n%s (%s)\n\n```\n%s\n```\n\n[See the answer](%s.html)\n", a.Title, plainText(c.Truth.Truth), origin(c.Truth), a.command(), a.Name)
	}
	return write(to, "content/gallery/_index.md", []byte(index.String()))
}

// evidence reads the case, and rejects one without a real incident.
func (a answer) evidence() (cases.Case, error) {
	found, err := cases.Find(a.Case)
	if err != nil {
		return cases.Case{}, err
	}
	if len(found) != 1 {
		return cases.Case{}, fmt.Errorf("%s has %d cases, want one", a.Case, len(found))
	}
	if p := found[0].Truth.Provenance; p != "recorded" && p != "captured" {
		return cases.Case{}, fmt.Errorf("%s is %s: the gallery shows what was recorded or captured", a.Case, p)
	}
	return found[0], nil
}

func (a answer) command() string {
	return "nodetriage " + strings.ReplaceAll(a.Run, "CASE", a.Case) + " -o html"
}

// ask runs the command and returns what it prints.
func (a answer) ask(ctx context.Context, nodetriage string) ([]byte, error) {
	args := strings.Fields(a.command())[1:]
	out, err := exec.CommandContext(ctx, nodetriage, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && slices.Contains(exits, exit.ExitCode()) {
		return out, nil
	}
	if exit != nil {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		err = fmt.Errorf("run %s: %w", a.command(), err)
	}
	return out, err
}

// headed adds a description and the command above an answer. The page forbids other styles, so this uses its own.
func (a answer) headed(page []byte, c cases.Case) ([]byte, error) {
	const top = "<main>\n"
	if !bytes.Contains(page, []byte(top)) {
		return nil, fmt.Errorf("the answer has no line %q to put its description after", strings.TrimSpace(top))
	}
	var head strings.Builder
	fmt.Fprintf(&head, "<section class=\"cohort\"><p><a href=\"../\">nodetriage</a> / <a href=\"./\">Gallery</a></p>\n<p>%s (%s)", html.EscapeString(c.Truth.Truth), html.EscapeString(origin(c.Truth)))
	if _, err := fs.Stat(os.DirFS("docs/causes"), c.Truth.Class+".md"); err == nil {
		fmt.Fprintf(&head, " <a href=\"../docs/causes/%s/\">%s</a>", c.Truth.Class, c.Truth.Class)
	}
	fmt.Fprintf(&head, "</p>\n<pre>%s</pre></section>\n", html.EscapeString(a.command()))
	return bytes.Replace(page, []byte(top), []byte(top+head.String()), 1), nil
}

// origin returns the origin of a case.
func origin(t cases.Truth) string {
	if t.Provenance == "recorded" {
		return "recorded: " + t.Source
	}
	return "captured: " + t.Source
}
