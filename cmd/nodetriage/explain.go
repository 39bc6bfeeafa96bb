package main

import (
	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/ask"
)

const explainHelp = `Print what is known about a cause: what it is, how to make sure, what to do with
the risk of each step, how to see that it worked, what makes it worse, what it
brings about, what it comes from, and the messages that recognise it. The page of
a symptom names the causes that it can come from.

The id of a signature, as --trace and JSON name it, shows the signature: its pattern,
what it says, its certainty and its source.

An error code, a reason of an event or a sentence of a log finds the pages of what
it says: nodetriage explain QuotaExceeded. Other words, or a whole question, find
the page by its words: the answer if one page is clearly meant, else the pages
that have them, the best match first.

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
  nodetriage explain pleg-unhealthy         # a symptom: what can be behind it
  nodetriage explain containerd-reserved-name   # a signature: what it recognizes
  nodetriage explain QuotaExceeded          # an error code: what it says
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
	cmd.Flags().BoolVar(&list, "list", false, "list all causes, symptoms and questions")
	return cmd
}
