package main

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	source "github.com/yuin/goldmark/text"
)

// Commands and flags on pages exist, also those of commands that no test runs.
func TestReadmeFlags(t *testing.T) {
	checked := 0
	for _, name := range writtenPages(t) {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range typed(page) {
			checked++
			if err := accepts(args); err != nil {
				t.Errorf("%s: nodetriage %s: %v", name, strings.Join(args, " "), err)
			}
		}
	}
	if checked < 100 {
		t.Errorf("%d commands found, want at least 100", checked)
	}
}

func TestReadmeFlagsWrong(t *testing.T) {
	for text, right := range map[string]bool{
		"`nodetriage check --pool np1`": true, "    sudo ./nodetriage node-check --egress | nodetriage diagnose -\n": true,
		"`nodetriage check --no-such`": false, "`nodetriage no-such`": false, "```sh\nnodetriage diagnose \\\n  --no-such\n```\n": false,
	} {
		list := typed([]byte(text))
		if len(list) == 0 {
			t.Errorf("%q: no command found", text)
		}
		for _, args := range list {
			if err := accepts(args); (err == nil) != right {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}

// typed returns the arguments of every command of the program in the code of a page.
func typed(page []byte) [][]string {
	var out [][]string
	root := goldmark.New().Parser().Parse(source.NewReader(page))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch x := n.(type) {
		case *ast.CodeSpan:
			var words strings.Builder
			for c := x.FirstChild(); c != nil; c = c.NextSibling() {
				words.Write(c.(*ast.Text).Value(page))
				words.WriteByte(' ')
			}
			out = append(out, shellCommands(words.String())...)
		case *ast.FencedCodeBlock:
			if string(x.Language(page)) == "console" {
				out = append(out, shellCommands(strings.ReplaceAll(strings.Join(commandLines(lines(x, page)), "\n"), "$ ", ""))...)
			} else {
				out = append(out, shellCommands(lines(x, page))...)
			}
		case *ast.CodeBlock:
			out = append(out, shellCommands(lines(x, page))...)
		}
		return ast.WalkContinue, nil
	})
	return out
}

func lines(n ast.Node, page []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(page))
	}
	return b.String()
}

// shellCommands returns the arguments of the program's commands in a text of a shell.
func shellCommands(text string) [][]string {
	var out [][]string
	text = strings.NewReplacer("\\\n", " ", " | ", "\n", " && ", "\n", " || ", "\n", "; ", "\n", "\\| ", "\n").Replace(text)
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, " #")
		words := strings.Fields(line)
		for len(words) > 0 && slices.Contains([]string{"sudo", "kubectl", "-", "run:"}, words[0]) {
			words = words[1:]
		}
		if len(words) < 2 || path.Base(words[0]) != "nodetriage" || strings.Contains(words[0], ":") {
			continue
		}
		if args := untilRedirection(words[1:]); len(args) > 0 {
			out = append(out, args)
		}
	}
	return out
}

func untilRedirection(words []string) []string {
	for i, w := range words {
		if strings.HasPrefix(w, ">") || strings.HasPrefix(w, "<") || strings.HasPrefix(w, "2>") {
			return words[:i]
		}
	}
	return words
}

// accepts returns why the program rejects a command or its flags.
func accepts(args []string) error {
	root := newRoot()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if cmd == root && !strings.HasPrefix(args[0], "-") {
		return fmt.Errorf("unknown command %q", args[0])
	}
	cmd.InitDefaultHelpFlag()
	return cmd.ParseFlags(rest)
}
