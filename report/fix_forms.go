package report

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// fixForms returns how the first fix is written: with its commands below a long title or below a short one, or with the command that
// shows them. What a command prints stands above it if there is room. The commands of a fix that disrupts nothing stay longest.
func (f *firstPage) fixForms(cause string, m *catalog.Remedy) part {
	short := f.remedy("FIX", m, 1)
	if len(m.Commands) == 0 {
		return part{form{f.remedy("FIX", m, 3), keepSummary}, form{rows: short}}
	}
	keep := keepCommands
	if disruptsNothing(m) {
		keep = keepFix
	}
	page := f.style.block("  Commands:", f.style.onEvidence(string(shell.Format("nodetriage explain {id}", cause))), detailColumns)
	behind := *f
	behind.style.notesBehind = true
	return part{form{f.remedy("FIX", m, 3), keepSummary}, form{short, keepLong}, form{behind.remedy("FIX", m, 1), keep},
		form{append(f.title("FIX", m, "", 3), page...), keepSummary}, form{rows: append(f.title("FIX", m, "", 1), page...)}}
}

// disruptsNothing reports whether a remedy disrupts no pods and has no risk or a low one.
func disruptsNothing(m *catalog.Remedy) bool {
	return !m.Disruptive && catalog.RiskRank(m.Risk) <= catalog.RiskRank("low")
}

// remedy writes a remedy with its commands, and with a title of at most n rows; 1: as few as it can have. The place of the first
// command stands in the title if there is room for it.
func (f *firstPage) remedy(label string, m *catalog.Remedy, n int) []string {
	own := slices.DeleteFunc(slices.Clone(m.Commands), func(c shell.Text) bool { return c == f.checked || f.told(c) }) // the check above has it
	commands := atPlaces(m, own)
	rows := f.title(label, m, "", n)
	if at := firstOfPlaces(m, own); at != "" {
		if with := f.title(label, m, at, n); len(with) <= len(rows) {
			rows, commands = with, commands[1:]
		}
	}
	for _, c := range commands {
		rows = append(rows, f.style.commandRows(string(c), codeColumns)...)
	}
	return rows
}

// title writes the title of a remedy, its risk, and where to start if its commands have several places.
func (f *firstPage) title(label string, m *catalog.Remedy, start string, n int) []string {
	if n == 1 {
		return f.style.fewestRows(label, m.Title, fixTail(m, start), labelColumns)
	}
	return f.style.complete(label, strings.TrimSuffix(m.Title, "."), fixTail(m, start), labelColumns, n)
}

// fixTail is what stands behind the title of a remedy.
func fixTail(m *catalog.Remedy, start string) string {
	return " (" + joined("; ", fixSays(m), start) + ")"
}

// fixSays returns the risk of a remedy, whether it disrupts pods, and where it runs. The semicolons and the verb keep the place apart
// from the pods. Without a command that changes something, a person decides what to do, and does it.
func fixSays(m *catalog.Remedy) string {
	effect, how, where := "", "", ""
	if m.Disruptive {
		effect = "disrupts pods"
	}
	if m.Risk != "none" && !changes(m) {
		how = "by hand"
	}
	if where = heading(m, m.Commands); where != "" {
		where = "run " + where
	}
	return joined("; ", "risk: "+m.Risk, effect, how, where)
}
