package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
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
	rows := append(s.block(label, s.paint(bold, title), labelColumns), f.facts(x, "", "", 2)...)
	if short := f.facts(x, label, s.paint(bold, title)+", ", len(rows)-1); len(short) < len(rows) {
		f.add(form{rows, keepOwnRow}, form{short, keepCause})
	} else {
		f.add(form{rows, keepCause})
	}
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

// facts writes after a head how sure and how severe a finding is, what it is about and since when. If that takes more rows than
// most, names are left out and counted. No name is cut.
func (f *firstPage) facts(x *triage.Finding, label, head string, most int) []string {
	sure := joined(", ", string(x.Certainty), f.style.severity(x.Severity))
	for n := 3; ; n-- {
		says := joined(": ", sure, joined(", ", subjectsFrom(quotedKind(x), x.Subjects, n), lasting(x.Since, nil, f.r.TakenAt)))
		if rows := f.style.block(label, head+says, labelColumns); n == 1 || len(rows) <= most {
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

// check writes what to do and to run before a fix: the precondition of all fixes, the command that confirms a cause, and those of the first fix that only look. They are one
// part, so that the second has the heading if the first gives way.
func (f *firstPage) check(x *triage.Finding) {
	before, _ := preconditions(x.Cautions)
	f.precondition(x, before)
	confirm := f.confirm(x)
	alone, then, keep := f.lookRows(x)
	if len(alone) == 0 && confirm == nil {
		return
	}
	f.gap()
	var forms []form
	for _, c := range confirm[:max(len(confirm)-1, 0)] {
		forms = append(forms, form{slices.Concat(c.rows, then), c.keep})
	}
	switch {
	case confirm == nil:
		forms = append(forms, form{alone, keep}, form{})
	case len(confirm[len(confirm)-1].rows) > 0:
		last := confirm[len(confirm)-1].rows
		forms = append(forms, form{slices.Concat(last, then), keep}, form{rows: last})
	default:
		forms = append(forms, form{alone, keep}, form{})
	}
	f.add(forms...)
}

// lookRows returns the commands of the first fix that only look, with the heading of a check and below another one, and how long they stay. They
// stay as long as the fix if that can do harm, or if they are all of it.
func (f *firstPage) lookRows(x *triage.Finding) (alone, then []string, keep int) {
	if len(x.Remedies) == 0 {
		return nil, nil, 0
	}
	m := &x.Remedies[0]
	looks, acts := m.Looks()
	looks = slices.DeleteFunc(looks, func(c shell.Text) bool { return strings.Contains(string(f.checked), string(c)) })
	if len(looks) == 0 {
		return nil, nil, 0
	}
	f.looks = looks
	var rows []string
	for _, c := range atPlaces(m, looks) {
		rows = append(rows, f.style.commandRows(string(c), codeColumns)...)
	}
	keep = keepCommands
	if len(acts) > 0 && !m.Disruptive {
		keep = keepCheck
	}
	return append(f.looksHead(x, looks, true), rows...), append(f.looksHead(x, looks, false), rows...), keep
}

// looksHead is the first row of the commands of the first fix that only look: where they run, or what they find out if they are all of it.
// alone: they stand below no check.
func (f *firstPage) looksHead(x *triage.Finding, looks []shell.Text, alone bool) []string {
	place := whichNode(x, heading(&x.Remedies[0], looks))
	if len(fixesOf(x)) < len(x.Remedies) {
		label := "  then"
		if alone {
			label = "CHECK"
		}
		tail := ":"
		if place != "" {
			tail = ", " + place + ":"
		}
		return f.style.fewestRows(label, x.Remedies[0].Title, tail, labelColumns)
	}
	what := "the fix, check the current state"
	if strings.HasPrefix(x.Remedies[0].Title, "If ") {
		what = "the fix, check its condition"
	}
	return f.style.block("BEFORE", joined(" ", what, place)+":", labelColumns)
}

// whichNode returns a place, and which node that is if the finding is not about one node.
func whichNode(x *triage.Finding, place string) string {
	if place != on("node") {
		return place
	}
	isNode := func(s evidence.Subject) bool { return s.Kind == "Node" }
	nodes := 0
	for _, s := range x.Subjects {
		if isNode(s) {
			nodes++
		}
	}
	switch {
	case nodes == 1:
		return place
	case nodes > 1:
		return "on each of the nodes"
	case slices.ContainsFunc(x.Subjects, func(s evidence.Subject) bool { return s.Kind == "Pod" }):
		return "on the pod's node"
	}
	return "on the message's node"
}

// fixesOf returns the remedies from the first that can change something. One before it that only looks, without risk, is a check.
func fixesOf(x *triage.Finding) []catalog.Remedy {
	if len(x.Remedies) < 2 || x.Remedies[0].Risk != "none" || len(x.Remedies[0].Commands) == 0 || changes(&x.Remedies[0]) {
		return x.Remedies
	}
	return x.Remedies[1:]
}

// confirm returns the command that confirms a cause that is not certain. It is also what to run first if the first fix has no
// command.
func (f *firstPage) confirm(x *triage.Finding) part {
	acts := len(x.Remedies) > 0 && len(x.Remedies[0].Commands) > 0
	if x.Certainty == triage.Certain && acts || len(x.Confirm) == 0 {
		return nil
	}
	var commands []shell.Text // those before the check print its names
	at := 0
	for ; at < len(x.Confirm)-1 && x.Confirm[at].Run.PrintsName(); at++ {
		commands = append(commands, x.Confirm[at].Run)
	}
	c := x.Confirm[at]
	f.checked = c.Run
	var run []string
	for _, command := range atPlaces(&catalog.Remedy{Where: c.Where}, append(commands, c.Run)) {
		run = append(run, f.style.commandRows(string(command), codeColumns)...)
	}
	where := capital(whichNode(x, on(c.Where)))
	place := f.style.block("CHECK", cmp.Or(where, "Confirm the cause")+":", labelColumns)
	says := checkSays(where, expects(c))
	short := f.style.complete("CHECK", says, "", labelColumns, 1)
	if len(short) > 1 {
		short = f.style.complete("CHECK", checkSays(where, confirms(c)), "", labelColumns, 1)
	}
	if len(short) > 2 { // the command without what it prints
		short = place
	}
	return part{form{append(f.style.complete("CHECK", says, "", labelColumns, 2), run...), keepVerify}, form{slices.Concat(short, run), keepHurt},
		form{slices.Concat(place, run), keepCheck}, f.withoutCheck(x, slices.Concat(place, run))}
}

// checkSays returns where a check runs and what it shows if the cause is right, in one sentence, so that no shorter form has only the place. The
// command is below it.
func checkSays(where, result string) string {
	return capital(joined(", ", where, "confirmed by: "+strings.TrimPrefix(result, expected)))
}

// withoutCheck is the shortest form of a check: nothing, unless a fix on the screen needs a name that it prints.
func (f *firstPage) withoutCheck(x *triage.Finding, rows []string) form {
	refers := func(c shell.Text) bool { return strings.HasPrefix(string(c), shell.CheckPrints) }
	if len(x.Remedies) == 0 {
		return form{}
	}
	list := fixesOf(x)
	at, _ := second(list)
	for _, m := range []catalog.Remedy{x.Remedies[0], list[0], list[at]} {
		if slices.ContainsFunc(m.Commands, refers) {
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

// fix writes the first remedy with all its commands, or with the command that shows them, and how many others there are. What not to
// do stands below it.
func (f *firstPage) fix(x *triage.Finding) {
	s := f.style
	_, cautions := preconditions(x.Cautions)
	if len(x.Remedies) > 0 {
		f.gap()
		list := fixesOf(x)
		m := list[0]
		if len(list) == len(x.Remedies) { // its looks are in the check
			_, m.Commands = m.Looks()
		}
		f.add(f.fixForms(x.Cause, &m)...)
		f.moreFixes(list)
	}
	f.parts = append(f.parts, s.avoidAndVerify(cautions, x.Verify)...)
}

// second returns the remedy that stands below the first one, and how long it stays; 0: there is none. If no command of the first
// changes something, it is the first of the others with one.
func second(list []catalog.Remedy) (at, keep int) {
	if len(list) < 2 {
		return 0, keepFixes
	}
	if acts := slices.IndexFunc(list[1:], canRun); !changes(&list[0]) && acts >= 0 {
		return acts + 1, keepCommands
	}
	return 1, keepFixes
}

// moreFixes writes the second remedy, or the titles of the others.
func (f *firstPage) moreFixes(list []catalog.Remedy) {
	at, keep := second(list)
	if at == 0 {
		return
	}
	rest := list[1:]
	others := f.style.titlesOfFixes(slices.Delete(slices.Clone(rest), at-1, at), 1)
	f.add(form{append(f.remedy("  or", &list[at], 3), others...), min(keep, keepSummary)},
		form{append(f.remedy("  or", &list[at], 1), others...), min(keep, keepFixNames)}, form{f.remedy("  or", &list[at], 1), keep},
		form{f.style.titlesOfFixes(rest, 2), keepSecond}, form{f.style.titlesOfFixes(rest, 1), keepFixNames}, form{})
}

// canRun reports whether a remedy has a command that changes something and no high risk.
func canRun(m catalog.Remedy) bool { return changes(&m) && m.Risk != "high" }

// changes reports whether a command of a remedy changes something.
func changes(m *catalog.Remedy) bool {
	_, acts := m.Looks()
	return len(acts) > 0
}

// told reports whether the commands before the fix contain a command that only looks, or already say what the check prints.
func (f *firstPage) told(c shell.Text) bool {
	return slices.Contains(f.looks, c) && (c.Reads() || strings.HasPrefix(string(c), shell.CheckPrints))
}
