package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
		fmt.Fprintf(&b, "\nAliases:\n  %s\n", cmd.NameAndAliases())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		listCommands(&b, cmd)
	}
	own, cluster := flagGroups(cmd)
	for _, g := range own {
		if !g.flags.HasFlags() {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n", g.title)
		g.flags.VisitAll(func(f *pflag.Flag) { b.WriteString(flagLine(f)) })
	}
	if len(cluster) > 0 {
		b.WriteString("\nCluster flags (same as kubectl):\n")
		b.WriteString(indented(strings.Join(cluster, " "), "  "))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s COMMAND --help\" for more information about a command.\n", cmd.CommandPath())
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
	value := metavariable(f)
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
	body := indented(f.Usage+preset(f), indent)
	if len(head) < flagColumn-1 {
		return head + body[len(head):]
	}
	return head + "\n" + body
}

// valueAnnotation is the annotation of a flag with the name of its value in help.
const valueAnnotation = "value"

// nameValues moves the name of a flag's value from the start of its text to an annotation: "`FILE` Write the result to a file."
// Help shows it next to the flag. Completions and manual pages show the text alone.
func nameValues(root *cobra.Command) {
	for _, cmd := range append(below(root), root) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().Lookup("help").Usage = "Print this help."
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name, text, ok := strings.Cut(f.Usage, "` "); ok && strings.HasPrefix(name, "`") {
				f.Usage = text
				_ = cmd.Flags().SetAnnotation(f.Name, valueAnnotation, []string{name[1:]}) // the flag exists
			}
		})
	}
}

// metavariable returns the name of a flag's value; "" for a switch.
func metavariable(f *pflag.Flag) string {
	if name := f.Annotations[valueAnnotation]; name != nil {
		return name[0]
	}
	name, _ := pflag.UnquoteUsage(f) // a flag of cobra or kubectl
	return name
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

// groupAnnotation is the annotation of a flag with the title of its group.
const groupAnnotation = "group"

// flagGroup is a group of flags in the help of a command.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// flagGroups returns the command's own flags by group, and the names of those that select the cluster as for kubectl.
func flagGroups(cmd *cobra.Command) (own []flagGroup, cluster []string) {
	kubectl := pflag.NewFlagSet("", pflag.ContinueOnError)
	newClusterFlags().AddFlags(kubectl)
	own = []flagGroup{{"Flags", pflag.NewFlagSet("", pflag.ContinueOnError)}}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		switch title := f.Annotations[groupAnnotation]; {
		case f.Hidden:
		case kubectl.Lookup(f.Name) != nil:
			cluster = append(cluster, "--"+f.Name)
		case title == nil:
			own[0].flags.AddFlag(f)
		default:
			own = addToGroup(own, title[0], f)
		}
	})
	return own, cluster
}

func addToGroup(groups []flagGroup, title string, f *pflag.Flag) []flagGroup {
	for _, g := range groups {
		if g.title == title {
			g.flags.AddFlag(f)
			return groups
		}
	}
	groups = append(groups, flagGroup{title, pflag.NewFlagSet("", pflag.ContinueOnError)})
	groups[len(groups)-1].flags.AddFlag(f)
	return groups
}

// indented wraps text to the width of help, every line with the indent.
func indented(text, indent string) string {
	return indent + wording.Wrap(text, helpWidth, indent) + "\n"
}

// between accepts from least to most arguments. Other numbers are bad usage.
func between(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		how := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		switch {
		case len(args) > most && most == 0:
			return hintf(how, "%s takes no arguments, and got %s", cmd.Name(), strings.Join(args, " "))
		case len(args) > most && most == 2:
			return hintf(how, "%s takes at most two arguments, and got %s", cmd.Name(), strings.Join(args, " "))
		case len(args) > most:
			return hintf(how, "%s takes one argument, and got %s", cmd.Name(), strings.Join(args, " "))
		case len(args) < least:
			return hintf(how, "%s needs an argument", cmd.Name())
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
			return hinted(err, "did you mean --"+near+"?")
		}
	case errors.As(err, &value) && value.GetFlag().Value.Type() == "duration":
		return hintf("use a duration like 90s, 10m or 1h30m", "invalid value %q for --%s", value.GetValue(), value.GetFlag().Name)
	}
	return hinted(err, cmd.CommandPath()+" --help lists the flags")
}

// getters are verbs of kubectl before the name of a list.
var getters = []string{"get", "list", "describe", "show"}

// unknownCommand explains an unknown command.
func unknownCommand(root *cobra.Command, args []string) error {
	typed := args[0]
	hint := "nodetriage --help lists the commands; " + string(shell.Format("nodetriage diagnose {node}", typed)) + " diagnoses a node"
	var names []string
	for _, c := range root.Commands() {
		names = append(append(names, c.Name()), c.Aliases...)
	}
	near := wording.Nearest(typed, names)
	if len(args) > 1 && slices.Contains(getters, typed) && slices.Contains(names, args[1]) {
		near = args[1]
	}
	switch {
	case typed == "-" || exists(typed):
		hint = string(shell.Format("nodetriage diagnose {node}", typed)) + " diagnoses this file"
	case near != "":
		hint = "did you mean nodetriage " + near + "?"
	}
	return hintf(hint, "unknown command %q", typed)
}
