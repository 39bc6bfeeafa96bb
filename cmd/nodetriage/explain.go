package main

import (
	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/ask"
)

const explainHelp = `Print the page of a cause: its meaning, how to confirm it, fixes with their
risk, what not to do, and how to verify the fix. For a symptom, explain lists
its possible causes. For the ID of a check (from nodetriage check), explain
prints the risk that the check detects, and the fix.

You can also pass an error code, event reason, exit code, node condition or log
line: QuotaExceeded, FailedCreatePodSandBox, "exit code 137", DiskPressure. For
a question that has a page, explain prints the answer. For other words, it lists
the best matching pages.

"explain certainty", "explain severity" and "explain verdict" describe the terms
of a report. Each message pattern has an ID, which diagnose --trace and diagnose
-o json show. For such an ID, explain prints the pattern and its source.

explain prints at most 23 lines of a page. -o wide prints the complete page,
with the message patterns at the end. Without an argument, or with --list,
explain lists all pages.`

func newExplain() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	var list bool
	cmd := &cobra.Command{
		Use:   "explain [CAUSE|SYMPTOM|CHECK|CODE|WORDS...]",
		Short: "Explain a cause, symptom or error code, or answer a question",
		Long:  explainHelp,
		Example: `  nodetriage explain --list
  nodetriage explain runtime-hung
  nodetriage explain pleg-unhealthy         # a symptom: its possible causes
  nodetriage explain single-replica         # a check: the risk that it detects
  nodetriage explain QuotaExceeded          # an error code
  nodetriage explain "exit code 137"
  nodetriage explain certainty              # a term of a report
  nodetriage explain "no space left on device"
  nodetriage explain what is PLEG
  nodetriage explain "can I force a node Ready?"
  nodetriage explain runtime-hung -o markdown`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			k, err := know.load()
			if err != nil {
				return err
			}
			if list {
				args = nil
			}
			x, err := ask.Explain(k, ask.ExplainOptions{Words: args})
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			switch {
			case x.Page != nil:
				return pageForms.write(w, &out, x.Page)
			case x.Question != nil:
				return questionForms.write(w, &out, x.Question)
			case x.Signature != nil:
				return signatureForms.write(w, &out, x.Signature)
			case x.Check != nil:
				return checkPageForms.write(w, &out, x.Check)
			case x.Found != nil:
				return foundForms.write(w, &out, x.Found)
			}
			return indexForms.write(w, &out, x.Index)
		},
	}
	know.register(cmd.Flags())
	out.register(cmd.Flags(), pageForms.names()...)
	cmd.Flags().BoolVar(&list, "list", false, "List all causes, symptoms and questions.")
	return cmd
}
