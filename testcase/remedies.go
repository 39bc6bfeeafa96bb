package testcase

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// shown is how many remedies of a finding a report shows without being asked for more.
const shown = 2

// judgeRemedies returns what is wrong with the remedies of the first finding.
func (t Truth) judgeRemedies(r *triage.Report) (problems []string) {
	if len(r.Findings) == 0 {
		return nil
	}
	f := r.Findings[0]
	first := textsOf(f.Remedies[:min(shown, len(f.Remedies))], nil)
	for _, want := range t.Remedies {
		if !slices.ContainsFunc(first, func(text string) bool { return strings.Contains(text, want) }) {
			problems = append(problems, "the first remedies do not have "+want)
		}
	}
	all := textsOf(f.Remedies, f.Confirm)
	for _, not := range t.NoRemedy {
		if slices.ContainsFunc(all, func(text string) bool { return strings.Contains(text, not) }) {
			problems = append(problems, "a remedy or check has "+not)
		}
	}
	return problems
}

// textsOf are titles and commands.
func textsOf(remedies []catalog.Remedy, checks []catalog.Check) (out []string) {
	for _, r := range remedies {
		out = append(out, r.Title)
		for _, c := range r.Commands {
			out = append(out, string(c))
		}
	}
	for _, c := range checks {
		out = append(out, string(c.Run), string(c.Expect))
	}
	return out
}
