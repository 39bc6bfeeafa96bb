package report

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// longCheck is the number of rows from which a check gives way, so that no fix can refer to it.
const longCheck = 4

// withSources returns the finding as one screen shows it. If its check has many rows, its fixes have the commands that print their
// names, instead of a reference to the check.
func (f *firstPage) withSources(x *triage.Finding) *triage.Finding {
	rows := 0
	for _, c := range x.Confirm {
		rows += len(f.style.commandRows(string(c.Run), codeColumns))
		if !c.Run.PrintsName() {
			break // the first check ends here
		}
	}
	if rows < longCheck {
		return x
	}
	own := *x
	own.Remedies = slices.Clone(x.Remedies)
	for i := range own.Remedies {
		own.Remedies[i].Commands = sourced(own.Remedies[i].Commands, x.Confirm)
	}
	return &own
}

// sourced returns commands with those of the check that print their names.
func sourced(commands []shell.Text, checks []catalog.Check) []shell.Text {
	var out []shell.Text
	add := func(c shell.Text) {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	for _, c := range commands {
		names, refers := strings.CutPrefix(string(c), shell.CheckPrints)
		if !refers {
			add(c)
			continue
		}
		names, _, _ = strings.Cut(names, ": ")
		for gap := range strings.SplitSeq(names, ", ") {
			prints := func(k catalog.Check) bool { return k.Run.PrintsName() && strings.Contains(string(k.Run), gap) }
			if at := slices.IndexFunc(checks, prints); at >= 0 {
				add(checks[at].Run)
				continue
			}
			add(c)
		}
	}
	return out
}
