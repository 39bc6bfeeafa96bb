package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/report"
)

const explainHelp = `Print what is known about a cause: what it is, how to make sure, what to do with
the risk of each step, how to see that it worked, what makes it worse, what it
brings about, what it comes from, and the messages that recognise it. The page of
a symptom names the causes that it can come from.

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
		Use:   "explain [CAUSE|SYMPTOM|CODE|WORDS...]",
		Short: "Explain a cause, symptom or error code, or answer a question",
		Long:  explainHelp,
		Example: `  nodetriage explain --list
  nodetriage explain runtime-hung
  nodetriage explain pleg-unhealthy         # a symptom: what can be behind it
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
	switch said := saidBy(k, asked); len(said) {
	case 0:
	case 1:
		return answer(w, out, k, said[0].ID)
	default:
		return foundForms.write(w, out, report.NewFound(asked, said))
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

// saidBy are the pages of what a message or an error code says, by the signatures that know it.
func saidBy(k *knowledge, asked string) []catalog.Match {
	var out []catalog.Match
	for _, sig := range k.signatures.About(asked) {
		page := report.NewPage(k.catalog, k.signatures, sig.Says)
		if page == nil || slices.ContainsFunc(out, func(m catalog.Match) bool { return m.ID == page.ID }) {
			continue
		}
		out = append(out, catalog.Match{Kind: page.Kind, ID: page.ID, Title: page.Title})
	}
	return out
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
