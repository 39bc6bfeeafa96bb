package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// listing describes how one list is written.
type listing[T any] struct {
	head     func(T) lists.Head
	text     func(io.Writer, T, report.Style) error
	markdown func(io.Writer, T) error
	html     func(io.Writer, T, string) error
	resource string      // of kubectl, before a name
	json     func(T) any // the list with its items
}

// forms returns the formats of every list.
func (of listing[T]) forms() forms[T] {
	return forms[T]{value: of.json, text: of.text, rows: report.Rows{Resource: of.resource}, more: []form[T]{
		{"markdown", of.markdown},
		{"html", func(w io.Writer, result T) error { return of.html(w, result, version) }},
	}}
}

// lister is a command that shows a list.
type lister struct {
	cmd *cobra.Command
	src *sourceFlags
	out outputFlags
	all bool             // namespaces
	by  *ask.ListOptions // the question's

	formNames []string
}

// newLister returns the command of a question whose options contain ListOptions.
func newLister[T any](of listing[T], by *ask.ListOptions, question func(context.Context, ask.From) (T, error)) *lister {
	l := &lister{src: newSourceFlags(), by: by, formNames: of.forms().names()}
	var know knowledgeFlags // the built-in knowledge only
	l.cmd = &cobra.Command{
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			from, err := l.src.from(cmd, &l.out, &know)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("namespace") {
				if l.all {
					return hintf("leave one of them out", "--all-namespaces cannot be combined with --namespace")
				}
				l.by.Namespace = l.src.cluster.overrides.Context.Namespace
			}
			l.by.Node = nodeName(l.by.Node)
			result, err := question(cmd.Context(), from)
			if err != nil {
				return err
			}
			if err := of.forms().write(cmd.OutOrStdout(), &l.out, result); err != nil {
				return err
			}
			return exitFor(of.head(result).Verdict, map[triage.Verdict]exitCode{triage.Warn: exitWarnings, triage.Unclear: exitUnclear})
		},
	}
	return l
}

// register adds the flags of all lists. ofNode is the help of --node.
func (l *lister) register(columns, ofNode string) {
	l.out.register(l.cmd.Flags(), l.formNames...)
	l.cmd.Flags().StringVar(&l.by.Node, "node", "", "`NODE` "+ofNode)
	l.cmd.Flags().StringVar(&l.by.SortBy, "sort-by", "", "`COLUMN` Sort by this column: "+columns+".")
	l.src.register(l.cmd.Flags())
}

// namespaced adds the flags that people type after kubectl get for namespaced objects. Without them all are shown too.
func (l *lister) namespaced() {
	l.cmd.Flags().BoolVarP(&l.all, "all-namespaces", "A", false, "Show all namespaces. This is the default.")
}

// registerProblems adds the flag that shows only what has problems. --odd is its former name.
func registerProblems(set *pflag.FlagSet, on *bool, text string) {
	set.BoolVar(on, "problems", false, text)
	set.BoolVar(on, "odd", false, text)
	_ = set.MarkHidden("odd") // the flag was registered above
}
