package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/report"
)

const explainHelp = `Print what is known about a cause: what it is, how to make sure, what to do with
the risk of each step, how to see that it worked, what makes it worse, what it
brings about, what it comes from, and the messages that recognise it. The page of
a symptom names the causes that it can come from.

Words, or a whole question, find the page by its words: the answer if one page is
clearly meant, else the pages that have them, the best match first.

Without an argument, or with --list, all causes are listed by layer, then the
symptoms and the questions.`

func newExplain() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	var list bool
	cmd := &cobra.Command{
		Use:   "explain [CAUSE|SYMPTOM|WORDS...]",
		Short: "Print the page of a cause or symptom, or answer a question",
		Long:  explainHelp,
		Example: `  nodetriage explain --list
  nodetriage explain runtime-hung
  nodetriage explain pleg-unhealthy         # a symptom: what can be behind it
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
			if list || len(args) == 0 {
				return indexForms.write(cmd.OutOrStdout(), &out, report.NewIndex(k.catalog))
			}
			return answer(cmd.OutOrStdout(), &out, k, strings.Join(args, " "))
		},
	}
	know.register(cmd.Flags())
	out.register(cmd.Flags(), pageForms.names()...)
	cmd.Flags().BoolVar(&list, "list", false, "list all causes, symptoms and questions")
	return cmd
}

// answer writes the page with that id, or what has these words.
func answer(w io.Writer, out *outputFlags, k *knowledge, asked string) error {
	if page := report.NewPage(k.catalog, k.signatures, asked); page != nil {
		return pageForms.write(w, out, page)
	}
	if q := report.NewQuestion(k.catalog, asked); q != nil {
		return questionForms.write(w, out, q)
	}
	found := k.catalog.Search(asked)
	near := nearPage(k, asked)
	if isID := strings.Contains(asked, "-") && !strings.ContainsAny(asked, " ?"); near != "" && (isID || len(found) == 0) {
		return usagef("explain %q: there is no such page; did you mean %s?", asked, near)
	}
	if len(found) == 0 {
		return usagef("explain %q: no page has these words; nodetriage explain --list shows all", asked)
	}
	if catalog.Clear(found) {
		return answer(w, out, k, found[0].ID)
	}
	return foundForms.write(w, out, report.NewFound(asked, found))
}

// nearPage is the id of a page that was nearly typed; "" if none was.
func nearPage(k *knowledge, typed string) string {
	var ids []string
	for _, c := range k.catalog.Causes() {
		ids = append(ids, c.ID)
	}
	for _, s := range k.catalog.Symptoms() {
		ids = append(ids, s.ID)
	}
	for _, q := range k.catalog.Questions() {
		ids = append(ids, q.ID)
	}
	return nearest(typed, ids)
}
