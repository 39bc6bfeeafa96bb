//go:build manpages

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// With the tag manpages this is another program, which writes the manual pages of all commands into a folder. Its library is
// too large to be part of nodetriage.
func main() {
	root := newRoot()
	root.DisableAutoGenTag = true // the tag contains the build date
	if err := page(root, os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "manpages: write the pages into %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

// page writes the page of a command and of its subcommands.
func page(cmd *cobra.Command, dir string) error {
	if !cmd.IsAvailableCommand() {
		return nil
	}
	asMarkdown(cmd)
	var b strings.Builder
	if err := doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Source: "nodetriage " + version, Manual: "nodetriage"}, &b); err != nil {
		return err
	}
	for _, below := range cmd.Commands() {
		if err := page(below, dir); err != nil {
			return err
		}
	}
	file := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
	return os.WriteFile(filepath.Join(dir, file), []byte(shown.Replace(b.String())), 0o644)
}

// asMarkdown converts the texts of a command to the Markdown that the library expects.
func asMarkdown(cmd *cobra.Command) {
	var out []string
	before := "" // the previous line
	for _, line := range strings.Split(cmd.Long, "\n") {
		indented := strings.HasPrefix(line, "  ")
		if indented != strings.HasPrefix(before, "  ") && before != "" && line != "" {
			out = append(out, "")
		}
		before = line
		if indented {
			line = "    " + line
		} else {
			line = plain.Replace(line)
		}
		out = append(out, line)
	}
	cmd.Long = strings.Join(out, "\n")
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = plain.Replace(f.Usage) })
}

// Special characters of Markdown are escaped, because they stand for themselves.
var (
	plain = strings.NewReplacer("*", "\ue000", "<", "\ue001")
	shown = strings.NewReplacer("\ue000", "*", "\ue001", "<")
)
