package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// cause writes the first finding: what it is, on what, since when, and its decisive evidence.
func (f *firstPage) cause(x *triage.Finding) {
	s := f.style
	label := "CAUSE"
	f.gap()
	if head := f.r.faultsHead; head != "" {
		f.add(form{[]string{s.paint(bold, head)}, keepHurt}, form{})
		label = "CAUSE 1"
	}
	title := fmt.Sprintf("%s (%s)", strings.TrimSuffix(x.Title, "."), x.Cause)
	rows := append(s.block(label, s.paint(bold, title), labelColumns), f.facts(x)...)
	f.add(form{rows: rows, keep: keepCause})
	if x.Summary != "" && !strings.EqualFold(strings.TrimSuffix(x.Title, "."), x.Summary) {
		f.add(form{s.rows("", x.Summary, detailColumns, 3), keepSummary}, form{rows: s.rows("", x.Summary, detailColumns, 2)})
	}
	if who := subjects(x.LikelyOn, 3); who != "" {
		f.add(form{s.rows("", "likely also on "+who+" (failed at the same time, not examined)", detailColumns, 2), keepEffects}, form{})
	}
	f.evidence(x)
	if list := explainsSays(*x, f.r.Report); len(list) > 0 {
		f.add(form{s.row("", "effects: "+wording.First(list, 4), detailColumns), keepEffects}, form{})
	}
}

// facts writes how sure and how severe a finding is, what it is about and since when. Names are left out and counted before a
// name is cut.
func (f *firstPage) facts(x *triage.Finding) []string {
	sure := joined(", ", string(x.Certainty), f.style.severity(x.Severity))
	for n := 3; ; n-- {
		says := joined(": ", sure, joined(", ", subjectsFrom(quotedKind(x), x.Subjects, n), lasting(x.Since, nil, f.r.TakenAt)))
		if rows := f.style.block("", says, labelColumns); n == 1 || len(rows) <= 2 {
			return rows
		}
	}
}

// screenProofs is how many pieces of evidence of the first finding one screen shows.
const screenProofs = 3

// evidence writes the decisive piece of evidence in up to six rows, and others in two.
func (f *firstPage) evidence(x *triage.Finding) {
	list := proofs(x.Evidence)
	if at := recognised(list); at > 1 { // a line that is always shown
		list[1], list[at] = list[at], list[1]
	}
	for i, p := range list[:min(len(list), screenProofs)] {
		switch i {
		case 0:
			f.add(form{f.quoted("", p, 6), keepBlank}, form{f.quoted("", p, 5), keepTitles}, form{f.quoted("", p, 4), keepLong},
				form{f.quoted("", p, 3), keepBrief}, form{rows: f.shortest(p)})
		case 1:
			f.add(form{f.quoted("", p, 2), keepSecond}, form{})
		default:
			f.add(form{f.quoted("", p, 2), keepThird}, form{})
		}
	}
}

// shortest writes a piece of evidence in two rows, or in as many as the innermost error of its text needs.
func (f *firstPage) shortest(p proof) []string {
	words := strings.Join(strings.Fields(innermostOf(p.Text)), "")
	for n := 2; ; n++ {
		out := f.quoted("", p, n)
		if shown := strings.Join(strings.Fields(strings.Join(out, "")), ""); n == rowsInnermost || strings.Contains(shown, words) {
			return out
		}
	}
}

// rowsInnermost limits the rows of the shortest form of a piece of evidence.
const rowsInnermost = 4

// quoted writes a piece of evidence in at most n rows: its place, and as much of the text around the decisive part as fits. If
// the report is about one file, the place is a line of it.
func (f *firstPage) quoted(label string, p proof, n int) []string {
	if file, ok := strings.CutPrefix(f.r.Source, "file "); ok && p.Locator != "" && filepath.Base(file) == p.Source {
		p.Source = ""
	}
	indent := detailColumns
	if label != "" {
		indent = labelColumns
	}
	room := f.style.width() - indent
	for size := n * room; size > room/2; size -= 4 { // words that do not fit at the end of a row need space too
		if out := f.style.block(label, p.brief(size), indent); len(out) <= n {
			return out
		}
	}
	return f.style.rows(label, p.brief(n*room), indent, n)
}

// check writes what to run before a fix: the command that confirms a cause, and those of the first fix that only look.
func (f *firstPage) check(x *triage.Finding) {
	f.confirm(x)
	if len(x.Remedies) == 0 {
		return
	}
	looks, acts := x.Remedies[0].Looks()
	looks = slices.DeleteFunc(looks, func(c shell.Text) bool { return c == f.checked }) // the check has it
	if len(looks) == 0 {
		return
	}
	f.looks = looks
	says := joined(", ", "Before the fix", on(x.Remedies[0].Where)) + ":"
	if f.checked == "" {
		f.gap()
	}
	rows := f.style.block("CHECK", says, labelColumns)
	for _, c := range looks {
		rows = append(rows, f.style.commandRows(string(c), codeColumns)...)
	}
	keep := keepCommands
	if len(acts) > 0 {
		keep = keepCheck
	}
	f.add(form{rows, keep}, form{})
}

// confirm writes the command that confirms a cause that is not certain. It is also what to run first if the first fix has no
// command.
func (f *firstPage) confirm(x *triage.Finding) {
	acts := len(x.Remedies) > 0 && len(x.Remedies[0].Commands) > 0
	if x.Certainty == triage.Certain && acts || len(x.Confirm) == 0 {
		return
	}
	var names []string
	at := 0
	for ; at < len(x.Confirm)-1 && x.Confirm[at].Run.PrintsName(); at++ {
		names = append(names, f.style.commandRows(string(x.Confirm[at].Run), codeColumns)...)
	}
	c := x.Confirm[at]
	f.checked = c.Run
	run := f.style.commandRows(string(c.Run), codeColumns)
	f.gap()
	says := checkSays(c, expects(c))
	short := f.style.complete("CHECK", says, "", labelColumns, 1)
	if len(short) > 1 {
		short = f.style.complete("CHECK", checkSays(c, confirms(c)), "", labelColumns, 1)
	}
	if len(short) > 2 { // the command without what it prints
		short = f.style.block("CHECK", cmp.Or(capital(on(c.Where)), "Confirm the cause")+".", labelColumns)
	}
	f.add(form{append(f.style.complete("CHECK", says, "", labelColumns, 2), slices.Concat(names, run)...), keepVerify},
		form{slices.Concat(short, names, run), keepLong}, form{slices.Concat(short, run), keepCheck}, f.withoutCheck(x, append(short, run...)))
}

// checkSays returns where a check runs and what it shows, in one sentence, so that no shorter form has only the place.
func checkSays(c catalog.Check, result string) string {
	if place := on(c.Where); place != "" {
		return capital(place) + ", expect: " + strings.TrimPrefix(result, "Expect: ")
	}
	return result
}

// withoutCheck is the shortest form of a check: nothing, unless a fix on the screen needs a name that it prints.
func (f *firstPage) withoutCheck(x *triage.Finding, rows []string) form {
	refers := func(c shell.Text) bool { return strings.HasPrefix(string(c), shell.CheckPrints) }
	at, _ := second(x)
	for i, m := range x.Remedies {
		if (i == 0 || i == at) && slices.ContainsFunc(m.Commands, refers) {
			return form{rows: rows}
		}
	}
	return form{}
}

// on names where a command runs, unless that is the user's computer.
func on(where string) string {
	switch where {
	case "", "workstation":
		return ""
	case "node":
		return "on the node"
	}
	if where == "cloud-cli" {
		return "with the cloud CLI"
	}
	return "on a " + where + " node"
}

// fix writes the first remedy with all its commands, or with the command that shows them, and how many others there are. What to
// do before it stands above it, what not to do below it.
func (f *firstPage) fix(x *triage.Finding) {
	s := f.style
	before, cautions := preconditions(x.Cautions)
	if len(x.Remedies) > 0 {
		f.gap()
		f.precondition(before)
		m := x.Remedies[0]
		_, m.Commands = m.Looks()
		one := f.remedy("FIX", &m, true)
		titles := f.remedy("FIX", &m, false)
		if len(m.Commands) > 0 {
			titles = append(titles, s.commandRows(string(shell.Format("nodetriage explain {id}", x.Cause)), codeColumns)...)
		}
		f.add(form{one, keepCommands}, form{rows: titles})
		f.moreFixes(x)
	}
	f.parts = append(f.parts, s.avoidAndVerify(cautions, x.Verify)...)
}

// firstWord begins a caution that says what to do before any fix.
const firstWord = "first "

// preconditions returns what to do before any fix, without its first word, and the other cautions.
func preconditions(cautions []shell.Text) (before []string, others []shell.Text) {
	for _, c := range cautions {
		if rest, ok := cutPrefixFold(string(c), firstWord); ok {
			before = append(before, rest)
			continue
		}
		others = append(others, c)
	}
	return before, others
}

// precondition writes what to do before the first fix.
func (f *firstPage) precondition(before []string) {
	if len(before) == 0 {
		return
	}
	f.add(form{f.style.complete("FIRST", before[0], "", labelColumns, 2), keepImpact}, form{rows: f.style.complete("FIRST", before[0], "", labelColumns, 1)})
}

// second returns the remedy that stands below the first one, and how long it stays; 0: there is none. If no command of the first
// changes something, it is the first of the others with one.
func second(x *triage.Finding) (at, keep int) {
	if len(x.Remedies) < 2 {
		return 0, keepFixes
	}
	if acts := slices.IndexFunc(x.Remedies[1:], canRun); !changes(&x.Remedies[0]) && acts >= 0 {
		return acts + 1, keepCommands
	}
	return 1, keepFixes
}

// moreFixes writes the second remedy, or the titles of the others.
func (f *firstPage) moreFixes(x *triage.Finding) {
	at, keep := second(x)
	if at == 0 {
		return
	}
	rest := x.Remedies[1:]
	others := f.style.titlesOfFixes(slices.Delete(slices.Clone(rest), at-1, at), 1)
	f.add(form{append(f.remedy("  or", &x.Remedies[at], true), others...), keep},
		form{f.style.titlesOfFixes(rest, 2), keepSecond}, form{rows: f.style.titlesOfFixes(rest, 1)})
}

// canRun reports whether a remedy has a command that changes something and no high risk.
func canRun(m catalog.Remedy) bool { return changes(&m) && m.Risk != "high" }

// changes reports whether a command of a remedy changes something.
func changes(m *catalog.Remedy) bool {
	_, acts := m.Looks()
	return len(acts) > 0
}

// told reports whether the commands before the fix already say what the check prints.
func (f *firstPage) told(c shell.Text) bool {
	return strings.HasPrefix(string(c), shell.CheckPrints) && slices.Contains(f.looks, c)
}

// remedy writes a remedy with or without its commands.
func (f *firstPage) remedy(label string, m *catalog.Remedy, commands bool) []string {
	rows := f.style.complete(label, strings.TrimSuffix(m.Title, "."), " ("+fixSays(m)+")", labelColumns, 3)
	for _, c := range m.Commands {
		if commands && c != f.checked && !f.told(c) { // the check above has it
			rows = append(rows, f.style.commandRows(string(c), codeColumns)...)
		}
	}
	return rows
}

// fixSays returns the risk of a remedy, whether it disrupts pods, and where it runs. Without a command that changes something, a
// person decides what to do, and does it.
func fixSays(m *catalog.Remedy) string {
	effect, how, where := "", "", ""
	if m.Disruptive {
		effect = "disrupts pods"
	}
	if m.Risk != "none" && !changes(m) {
		how = "by hand"
	}
	if len(m.Commands) > 0 {
		where = runOn(m.Where)
	}
	return joined("; ", "risk: "+m.Risk, effect, how, where)
}

// runOn names where the commands of a remedy run. The semicolons and the verb keep it apart from the pods.
func runOn(where string) string {
	if where = on(where); where == "" {
		return ""
	}
	return "run " + where
}
