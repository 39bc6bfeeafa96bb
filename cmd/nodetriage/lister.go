package main

import (
	"io"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/inventory"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// listing is how one list is made and written.
type listing[T any] struct {
	make     func(input, inventory.Filter, string) (T, error)
	head     func(T) inventory.Head
	text     func(io.Writer, T, report.Style) error
	markdown func(io.Writer, T) error
	html     func(io.Writer, T, string) error
	rows     report.Rows
}

// forms are those of every list.
func (of listing[T]) forms() forms[T] {
	return forms[T]{text: of.text, rows: of.rows, more: []form[T]{
		{"markdown", of.markdown},
		{"html", func(w io.Writer, result T) error { return of.html(w, result, version) }},
	}}
}

// lister is a command that shows a list.
type lister struct {
	cmd   *cobra.Command
	src   *sourceFlags
	out   outputFlags
	by    inventory.Filter
	order string

	labels string
	fields string
	all    bool

	formNames []string
}

func newLister[T any](of listing[T]) *lister {
	l := &lister{src: newSourceFlags(), formNames: of.forms().names()}
	var know knowledgeFlags // the knowledge of the program alone
	l.cmd = &cobra.Command{
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			in, err := l.src.read(&l.out, &know, func(k *knowledge) (*evidence.Snapshot, error) { return l.src.snapshot(cmd, nil, k) })
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("namespace") {
				if l.all {
					return usagef("show namespace %s: leave -A out, which is all of them", *l.src.cluster.Namespace)
				}
				l.by.Namespace = *l.src.cluster.Namespace
			}
			if l.labels != "" {
				if l.by.Labels, err = labels.Parse(l.labels); err != nil {
					return usagef("select pods by %q: %w", l.labels, err)
				}
			}
			if l.fields != "" {
				if l.by.Fields, err = inventory.ParseFields(l.fields, inventory.PodFields); err != nil {
					return usagef("select pods by %q: %w", l.fields, err)
				}
			}
			if l.by.Node != "" && in.snapshot.Covers(evidence.Nodes) != evidence.NotRead && in.snapshot.Node(l.by.Node) == nil {
				return absentf(in.snapshot, ofNodes, "show node %s: %s", l.by.Node, noSuchNode(in.snapshot, l.by.Node))
			}
			result, err := of.make(in, l.by, l.order)
			if err != nil {
				return &usageError{err}
			}
			if err := of.forms().write(cmd.OutOrStdout(), &l.out, result); err != nil {
				return err
			}
			return exitFor(of.head(result).Verdict, map[triage.Verdict]exitCode{triage.Warn: exitWarnings, triage.Unclear: exitUnclear})
		},
	}
	return l
}

// register adds the flags of all lists.
func (l *lister) register(columns string) {
	l.out.register(l.cmd.Flags(), l.formNames...)
	l.cmd.Flags().StringVar(&l.by.Node, "node", "", "only what concerns this `NODE`")
	l.sorts(columns)
	l.src.register(l.cmd.Flags())
}

// namespaced adds what people type after kubectl get for objects in namespaces: all are shown without it too.
func (l *lister) namespaced() {
	l.cmd.Flags().BoolVarP(&l.all, "all-namespaces", "A", false, "those of all namespaces, as without --namespace")
}

func (l *lister) selects() {
	l.cmd.Flags().StringVarP(&l.labels, "selector", "l", "", "only those with these `LABELS`, as app=web or tier!=cache")
	l.cmd.Flags().StringVar(&l.fields, "field-selector", "", "only those with these `FIELDS`, as status.phase=Pending or spec.nodeName!=worker-3")
}

func (l *lister) sorts(columns string) {
	l.cmd.Flags().StringVar(&l.order, "sort-by", "", "order by this `COLUMN`: "+columns)
}
