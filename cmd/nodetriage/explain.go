package main

import (
	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/ask"
)

const explainHelp = `Explain a cause: what it is, how to confirm it, how to fix it and the risk of
each step, how to verify the fix, what to avoid, related causes, and the
messages that identify it. The page of a symptom lists its possible causes.

The ID of a signature, as --trace and JSON show it, prints the signature: its
pattern, meaning, certainty and source.

An error code, an event reason or a log line finds the pages that match it:
nodetriage explain QuotaExceeded. Other words, or a whole question, search the
pages: one page if the match is clear, otherwise a list, best match first.

Without an argument, or with --list, all causes are listed by layer, then the
symptoms and the questions.`

func newExplain() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	var list bool
	cmd := &cobra.Command{
		Use:   "explain [CAUSE|SYMPTOM|SIGNATURE|CODE|WORDS...]",
		Short: "Explain a cause, symptom or error code, or answer a question",
		Long:  explainHelp,
		Example: `  nodetriage explain --list
  nodetriage explain runtime-hung
  nodetriage explain pleg-unhealthy         # a symptom: its possible causes
  nodetriage explain containerd-reserved-name   # a signature: what it matches
  nodetriage explain QuotaExceeded          # an error code: what it means
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
