package main

import (
	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/ask"
)

const explainHelp = `Print the page of a cause: meaning, checks, fixes with their risk, what not to do,
and how to verify the fix. The page of a symptom lists its possible causes. The id
of a check of "nodetriage check" prints why it is a risk, and the fix.

Error codes, event reasons, exit codes, node conditions and log lines find their
page: QuotaExceeded, FailedCreatePodSandBox, "exit code 137", DiskPressure. Other
words and questions list the best matching pages.

"certainty", "severity" and "verdict" explain the words of a report. The id of a
signature, from --trace or JSON, prints its pattern and source.

A page has at most 23 rows. -o wide prints everything, with the message patterns
at the end. Without an argument, or with --list, all pages are listed.`

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
  nodetriage explain single-replica         # a check: why it is a risk
  nodetriage explain QuotaExceeded          # an error code
  nodetriage explain "exit code 137"
  nodetriage explain certainty              # the words of a report
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
