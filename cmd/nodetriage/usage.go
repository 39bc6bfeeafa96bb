package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// Rules of the help texts: they fit 80 columns, start with the purpose of the command, show examples before flags, and list
// kubectl's own flags last, by name only, because their users know them.

const helpWidth = 80

// usage prints the part below the description of a command.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	line := strings.TrimSuffix(cmd.UseLine(), " [flags]")
	if cmd.HasAvailableSubCommands() && cmd.Runnable() {
		line = cmd.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(&b, "Usage:\n  %s [flags]\n", line)
	if len(cmd.Aliases) > 0 {
		fmt.Fprintf(&b, "\nAliases:\n  %s\n", strings.Join(cmd.Aliases, ", "))
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		listCommands(&b, cmd)
	}
	own, cluster := flagGroups(cmd)
	if own.HasAvailableFlags() {
		b.WriteString("\nFlags:\n")
		own.VisitAll(func(f *pflag.Flag) { b.WriteString(flagLine(f)) })
	}
	if len(cluster) > 0 {
		b.WriteString("\nFlags to choose the cluster, as for kubectl:\n")
		b.WriteString(indented(strings.Join(cluster, " "), "  "))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nMore about one command: %s COMMAND --help\n", cmd.CommandPath())
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), b.String())
	return err
}

// listCommands lists the subcommands of a command by group. The last group includes those without a group.
func listCommands(b *strings.Builder, cmd *cobra.Command) {
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands"}}
	}
	for i, g := range groups {
		fmt.Fprintf(b, "\n%s:\n", g.Title)
		for _, c := range cmd.Commands() {
			of := c.GroupID == g.ID || c.GroupID == "" && i == len(groups)-1
			if of && (c.IsAvailableCommand() || c.Name() == "help") {
				fmt.Fprintf(b, "  %-12s %s\n", c.Name(), c.Short)
			}
		}
	}
}

// flagColumn is the column of the text of a flag.
const flagColumn = 24

// flagLine returns one flag with its text next to or below it.
func flagLine(f *pflag.Flag) string {
	value, text := pflag.UnquoteUsage(f)
	head := "      --" + f.Name
	if f.Shorthand != "" {
		head = "  -" + f.Shorthand + ", --" + f.Name
	}
	switch {
	case f.NoOptDefVal != "" && f.Value.Type() != "bool":
		head += "[=" + value + "]"
	case value != "":
		head += " " + value
	}
	indent := strings.Repeat(" ", flagColumn)
	body := indented(text+preset(f), indent)
	if len(head) < flagColumn-1 {
		return head + body[len(head):]
	}
	return head + "\n" + body
}

// preset returns the default of a flag, if it is worth showing.
func preset(f *pflag.Flag) string {
	value := f.DefValue
	switch f.Value.Type() {
	case "duration":
		value = strings.TrimSuffix(value, "0s") // Go formats 1h as 1h0m0s
		if hours, whole := strings.CutSuffix(value, "h0m"); whole {
			value = hours + "h"
		}
	case "string":
	default:
		return ""
	}
	if value == "" {
		return ""
	}
	return " (default " + value + ")"
}

// flagGroups separates the command's own flags from those of kubectl.
func flagGroups(cmd *cobra.Command) (own *pflag.FlagSet, cluster []string) {
	kubectl := pflag.NewFlagSet("", pflag.ContinueOnError)
	genericclioptions.NewConfigFlags(true).AddFlags(kubectl)
	own = pflag.NewFlagSet("", pflag.ContinueOnError)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden:
		case kubectl.Lookup(f.Name) != nil:
			cluster = append(cluster, "--"+f.Name)
		default:
			own.AddFlag(f)
		}
	})
	return own, cluster
}

// indented wraps text to the width of help, every line with the indent.
func indented(text, indent string) string {
	return indent + wording.Wrap(text, helpWidth, indent) + "\n"
}

// between accepts from least to most arguments. Other numbers are bad usage.
func between(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > most && most == 0:
			return usagef("%s takes no arguments, and got %s; %s --help shows how", cmd.Name(), strings.Join(args, " "), cmd.CommandPath())
		case len(args) > most && most == 2:
			return usagef("%s takes at most two arguments, and got %s; %s --help shows how", cmd.Name(), strings.Join(args, " "), cmd.CommandPath())
		case len(args) > most:
			return usagef("%s takes one argument, and got %s; %s --help shows how", cmd.Name(), strings.Join(args, " "), cmd.CommandPath())
		case len(args) < least:
			return usagef("%s needs an argument: %s", cmd.Name(), strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		}
		return nil
	}
}

// badFlag explains an unknown flag, or an invalid value.
func badFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := wording.Nearest(unknown.GetSpecifiedName(), names); near != "" && len(unknown.GetSpecifiedName()) > 1 {
			return usagef("%w: did you mean --%s?", err, near)
		}
	case errors.As(err, &value) && value.GetFlag().Value.Type() == "duration":
		return usagef("read --%s %q: use a duration like 90s, 10m or 1h30m", value.GetFlag().Name, value.GetValue())
	}
	return usagef("%w; %s --help shows all flags", err, cmd.CommandPath())
}

// unknownCommand explains an unknown command.
func unknownCommand(root *cobra.Command, typed string) error {
	if _, err := os.Stat(typed); err == nil || typed == "-" {
		return usagef("%q is not a command: to diagnose it, use %s", typed, shell.Format("nodetriage diagnose {node}", typed))
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(append(names, c.Name()), c.Aliases...)
	}
	if near := wording.Nearest(typed, names); near != "" {
		return usagef("%q is not a command: did you mean nodetriage %s?", typed, near)
	}
	return usagef("%q is not a command: nodetriage --help lists them; to diagnose a node, use %s", typed, shell.Format("nodetriage diagnose {node}", typed))
}
