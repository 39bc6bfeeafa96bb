package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newHelp replaces cobra's help command. It rejects bad usage, and prints the reference of all commands.
func newHelp(root *cobra.Command) *cobra.Command {
	var out outputFlags
	cmd := &cobra.Command{
		Use:   "help [COMMAND...]",
		Short: "Print help about a command",
		Long: `Print the help of a command. With -o markdown, print the reference of all
commands on one page.`,
		Args: between(0, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if out.format == "markdown" {
				return writeReference(cmd.OutOrStdout(), root)
			}
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(root, args)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
	out.register(cmd.Flags(), "markdown")
	cmd.ValidArgsFunction = words(commandNames).complete
	return cmd
}

// writeReference writes a page about all commands. docs/cli is generated from it.
func writeReference(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Commands\n\n```text\n%s\n```\n", root.Long)
	var cluster []string
	for _, cmd := range below(root) {
		if !cmd.IsAvailableCommand() {
			continue
		}
		cmd.InitDefaultHelpFlag()
		name := strings.TrimPrefix(cmd.CommandPath(), root.CommandPath()+" ")
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s\n```\n\n%s\n", name, strings.TrimSuffix(cmd.UseLine(), " [flags]"), described(cmd))
		if len(cmd.Aliases) > 0 {
			fmt.Fprintf(&b, "\nAliases: `%s`\n", strings.Join(cmd.Aliases, "`, `"))
		}
		if cmd.HasExample() {
			fmt.Fprintf(&b, "\n```sh\n%s\n```\n", unindent(cmd.Example))
		}
		own, kubectl := flagGroups(cmd)
		if len(kubectl) > len(cluster) {
			cluster = kubectl
		}
		for _, g := range own {
			if !g.flags.HasFlags() {
				continue
			}
			fmt.Fprintf(&b, "\n%s:\n\n```text\n", g.title)
			g.flags.VisitAll(func(f *pflag.Flag) { b.WriteString(flagLine(f)) })
			b.WriteString("```\n")
		}
		if len(kubectl) > 0 {
			b.WriteString("\nIt also takes [kubectl's flags](#kubectls-flags).\n")
		}
	}
	fmt.Fprintf(&b, "\n## kubectl's flags\n\nThese flags select the cluster, the user and the namespace, and configure the connection, as in kubectl:\n`%s`.\n", strings.Join(cluster, "`, `"))
	_, err := io.WriteString(w, b.String())
	return err
}

// below returns all subcommands of a command, each before its own subcommands.
func below(cmd *cobra.Command) (out []*cobra.Command) {
	for _, c := range cmd.Commands() {
		out = append(append(out, c), below(c)...)
	}
	return out
}

// described returns a command's help as Markdown. Indented text stays preformatted.
func described(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return cmd.Short + "."
	}
	paragraphs := strings.Split(cmd.Long, "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, "  ") {
			paragraphs[i] = "```text\n" + unindent(p) + "\n```"
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

func unindent(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	}
	return strings.Join(lines, "\n")
}
