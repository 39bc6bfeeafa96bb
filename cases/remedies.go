package cases

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/triage"
)

// shown is the number of remedies of a finding that a report shows by default.
const shown = 2

// judgeRemedies returns what is wrong with the remedies of the first finding.
func (t Truth) judgeRemedies(r *triage.Report) (problems []string) {
	if len(r.Findings) == 0 {
		return nil
	}
	first, all := textsOf(&r.Findings[0])
	for _, want := range t.Remedies {
		if !slices.ContainsFunc(first, func(text string) bool { return strings.Contains(text, want) }) {
			problems = append(problems, "the first remedies do not have "+want)
		}
	}
	for _, not := range t.NoRemedy {
		if slices.ContainsFunc(all, func(text string) bool { return strings.Contains(text, not) }) {
			problems = append(problems, "a remedy or check has "+not)
		}
	}
	return problems
}

// textsOf returns the titles and commands of the remedies that are shown, and those of all remedies and checks.
func textsOf(f *triage.Finding) (first, all []string) {
	for i, r := range f.Remedies {
		all = append(all, r.Title)
		for _, c := range r.Commands {
			all = append(all, string(c))
		}
		if i < shown {
			first = slices.Clone(all)
		}
	}
	for _, c := range f.Confirm {
		all = append(all, string(c.Run), string(c.Expect))
	}
	return first, all
}
