package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/report"
)

const explainHelp = `Print what is known about a cause: what it is, how to make sure, what to do with
the risk of each step, how to see that it worked, what makes it worse, what it
brings about, what it comes from, and the messages that recognise it. The page of
a symptom names the causes that it can come from.

Without an id, or with --list, all causes are listed by layer.`

func newExplain() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	var list bool
	cmd := &cobra.Command{
		Use:   "explain [CAUSE|SYMPTOM]",
		Short: "Print the page of a cause or symptom",
		Long:  explainHelp,
		Example: `  nodetriage explain --list
  nodetriage explain runtime-hung
  nodetriage explain pleg-unhealthy         # a symptom: what can be behind it
  nodetriage explain runtime-hung -o markdown`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			k, err := know.load()
			if err != nil {
				return err
			}
			if list || len(args) == 0 {
				return writeIndex(cmd.OutOrStdout(), &out, report.NewIndex(k.catalog))
			}
			page := report.NewPage(k.catalog, k.signatures, args[0])
			if page == nil {
				return usagef("explain %q: %s", args[0], noSuchCause(k, args[0]))
			}
			return writePage(cmd.OutOrStdout(), &out, page)
		},
	}
	know.register(cmd.Flags())
	out.register(cmd.Flags(), "wide", "json", "yaml", "markdown")
	cmd.Flags().BoolVar(&list, "list", false, "list all causes and symptoms")
	return cmd
}

func noSuchCause(k *knowledge, typed string) string {
	var ids []string
	for _, c := range k.catalog.Causes() {
		ids = append(ids, c.ID)
	}
	for _, s := range k.catalog.Symptoms() {
		ids = append(ids, s.ID)
	}
	if near := nearest(typed, ids); near != "" {
		return "there is no such cause; did you mean " + near + "?"
	}
	return "there is no such cause; nodetriage explain --list shows all"
}

func writePage(w io.Writer, out *outputFlags, p *report.Page) error {
	switch out.format {
	case "markdown":
		return report.PageMarkdown(w, p)
	case "json":
		return report.JSON(w, p)
	case "yaml":
		return report.YAML(w, p)
	case "", "wide":
		return report.Explain(w, p, out.style(w))
	}
	return fmt.Errorf("write %s: no such form", out.format)
}

func writeIndex(w io.Writer, out *outputFlags, x *report.Index) error {
	switch out.format {
	case "markdown":
		return report.IndexMarkdown(w, x)
	case "json":
		return report.JSON(w, x)
	case "yaml":
		return report.YAML(w, x)
	case "", "wide":
		return report.ExplainList(w, x, out.style(w))
	}
	return fmt.Errorf("write %s: no such form", out.format)
}
