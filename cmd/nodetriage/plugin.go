package main

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/report"
)

// As a kubectl plugin the program has another name. For completions kubectl runs kubectl_complete-nodetriage with what the user
// has typed.
const (
	pluginFile   = "kubectl-nodetriage"
	completeFile = "kubectl_complete-nodetriage"
	pluginName   = "kubectl nodetriage"
)

// plugin reports whether the program was started under its plugin name.
var plugin = calledAs(os.Args[0]) == pluginFile

func calledAs(path string) string { return strings.TrimSuffix(filepath.Base(path), ".exe") }

// arguments returns the arguments of the command line.
func arguments(args []string) []string {
	if calledAs(args[0]) == completeFile {
		return append([]string{cobra.ShellCompRequestCmd}, args[1:]...)
	}
	return args[1:]
}

// ourCommand matches one of our commands in a text, by the program's name.
var ourCommand = lazyregexp.New(`((?:^|[^-/\w])(?:kubectl )?)nodetriage (?:--?)?[a-z]`)

// byName replaces the program's name in a text by the name it was called by.
func byName(text string) string {
	if !plugin {
		return text
	}
	return asPlugin(text)
}

func asPlugin(text string) string {
	return ourCommand.ReplaceAllStringFunc(text, func(m string) string {
		if strings.Contains(m, pluginName) {
			return m
		}
		return strings.Replace(m, "nodetriage ", pluginName+" ", 1)
	})
}

// renamed makes the help of all commands name the plugin, if the program runs as one.
func renamed(root *cobra.Command) {
	if !plugin {
		return
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: pluginName}
	for _, cmd := range append(below(root), root) {
		cmd.Long, cmd.Example = asPlugin(cmd.Long), asPlugin(cmd.Example)
	}
}

// say writes the terminal format of a result, with the name that the program was called by.
func (o *outputFlags) say(w io.Writer, write func(io.Writer, report.Style) error) error {
	style := o.style(w)
	if !plugin {
		return write(w, style)
	}
	style.Width = cmp.Or(style.Width, helpWidth) - len("kubectl ") // for the longer name
	var b bytes.Buffer
	if err := write(&b, style); err != nil {
		return err
	}
	_, err := io.WriteString(w, asPlugin(b.String()))
	return err
}
