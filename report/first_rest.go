package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Findings after the first with rows of their own: with a next command, and with the title alone.
const (
	screenNext  = 3
	screenTitle = 5
)

// others writes the findings after the first: what they are and what to run next. Those that begin another fault come first.
// Findings that follow from another one are counted.
func (f *firstPage) others() {
	var list, follow []otherFinding
	for i := range f.r.Findings[1:] {
		x, n := &f.r.Findings[i+1], i+2
		switch {
		case x.ExplainedBy != "" && !f.r.beginsFault(n):
			follow = append(follow, otherFinding{x, "RESULT", x.Subjects})
		case f.r.beginsFault(n):
			list = append(list, otherFinding{x, labelCause, hurt(f.r.Report, x)})
		default:
			list = append(list, otherFinding{x, labelAlso, x.Subjects})
		}
	}
	slices.SortStableFunc(list, func(a, b otherFinding) int { return cmp.Compare(a.rank(), b.rank()) })
	for i := range list {
		if list[i].label == labelCause {
			list[i].label = fmt.Sprint(labelCause, " ", i+2)
		}
	}
	f.list(list)
	for _, x := range follow {
		f.follows(x)
	}
}

// follows writes a finding that follows from another one, with its evidence if rows are left.
func (f *firstPage) follows(x otherFinding) {
	title := f.style.titled(x.label, fmt.Sprintf("%s (%s)", x.Cause, x.Certainty), x.Summary)
	forms := []form{{title, keepEffects}, {}}
	if p := best(x.Evidence); p != nil {
		forms = slices.Insert(forms, 0, form{append(slices.Clone(title), f.quoted("", *p, 2)...), keepThird})
	}
	f.add(forms...)
}

// otherFinding is a finding after the first.
type otherFinding struct {
	*triage.Finding
	label    string
	subjects []evidence.Subject // of its whole fault, if it begins one
}

// rank sorts findings that begin a fault first.
func (x otherFinding) rank() int {
	if x.label == labelAlso {
		return 1
	}
	return 0
}

// Labels: of findings that begin a fault, which get its number, and of those that may be other explanations of the first.
const (
	labelCause = "CAUSE"
	labelAlso  = "ALSO"
)

// hurt returns the subjects of the fault that begins with a finding.
func hurt(r *triage.Report, x *triage.Finding) []evidence.Subject {
	for _, g := range r.Groups {
		if g.Cause == x.Cause && len(g.Subjects) > 0 {
			return g.Subjects
		}
	}
	return x.Subjects
}

// list writes findings: with evidence and a command, with a command, the titles, and how many there are.
func (f *firstPage) list(list []otherFinding) {
	if len(list) == 0 {
		return
	}
	f.gap()
	var forms []form
	for n := min(len(list), screenNext); n > 0; n-- {
		for proofs := n; proofs >= 0; proofs-- {
			forms = append(forms, form{f.listed(list, proofs, n, min(len(list), screenTitle)), keepOthers(proofs)})
		}
	}
	for n := min(len(list), screenTitle); n > 0; n-- {
		forms = append(forms, form{f.listed(list, 0, 0, n), keepTitles})
	}
	slices.SortStableFunc(forms, func(a, b form) int { return cmp.Compare(len(b.rows), len(a.rows)) })
	f.add(append(forms, form{rows: f.listed(list, 0, 0, 0)})...)
}

// keepOthers returns how much worth a form with this number of quoted findings is: the next command of a finding and its first
// quotation are worth more than empty rows.
func keepOthers(proofs int) int {
	switch proofs {
	case 0:
		return keepNext
	case 1:
		return keepVerify
	}
	return keepProofs
}

// listed writes the first findings with evidence, with a command and with the title, and how many more there are.
func (f *firstPage) listed(list []otherFinding, proofs, commands, titles int) []string {
	s := f.style
	var rows []string
	for i, x := range list[:titles] {
		facts := joined(", ", string(x.Certainty), subjects(x.subjects, 1), began(x.Since, f.r.TakenAt), seen(x.Since, x.LastSeen, f.r.TakenAt))
		title := strings.TrimSuffix(x.Title, ".")
		if i >= commands { // the id is whole, so that it can be looked up
			rows = append(rows, s.titled(x.label, joined(", ", fmt.Sprintf("%s (%s)", x.Cause, x.Certainty), subjects(x.subjects, 1)), title)...)
			continue
		}
		rows = append(rows, s.rows(x.label, fmt.Sprintf("%s (%s): %s", title, x.Cause, facts), labelColumns, 2)...)
		if p := best(x.Evidence); p != nil && i < proofs {
			rows = append(rows, f.quoted("", *p, 2)...)
		}
		if next := s.nextCommand(x.Finding); next != string(f.checked) {
			rows = append(rows, s.commandRows(next, codeColumns)...)
		}
	}
	if titles < len(list) {
		rows = append(rows, f.unlisted(list[titles:])...)
	}
	return rows
}

// unlisted names findings in one row, as many as fit.
func (f *firstPage) unlisted(list []otherFinding) []string {
	var names []string
	for _, x := range list {
		if !slices.Contains(names, x.Cause) {
			names = append(names, x.Cause)
		}
	}
	says := wording.Counted(len(list), "more finding", "more findings") + " (-o wide): "
	return f.style.row(labelAlso, says+f.wholeNames(strings.Repeat(" ", labelColumns)+says, names, len(names)), labelColumns)
}

// nextCommand returns the first command for a finding: a check if it is not certain, then a fix that does not disrupt pods,
// then its page. A command that does not fit the screen is not used.
func (s Style) nextCommand(x *triage.Finding) string {
	var all []shell.Text
	if x.Certainty != triage.Certain {
		for _, c := range x.Confirm {
			all = append(all, c.Run)
		}
	}
	for _, m := range x.Remedies {
		if m.Disruptive {
			continue
		}
		for _, c := range m.Commands {
			bare, _ := m.Placed(c)
			all = append(all, bare)
		}
	}
	for _, c := range all {
		if !c.PrintsName() && !strings.HasPrefix(string(c), comment) && rowsOn(s.commandRows(string(c), codeColumns), s.width()) <= 2 {
			return string(c)
		}
	}
	return string(shell.Format("nodetriage explain {id}", x.Cause))
}

// screenSeen is how many symptoms without a cause are always named.
const screenSeen = 2

// symptoms writes what was seen and has no cause, with the next checks.
func (f *firstPage) symptoms() {
	for i, x := range f.r.symptoms {
		f.gap()
		f.symptom(x, i)
	}
}

// symptom writes the symptom at a place in their list. The first one is the main content if there is no finding.
func (f *firstPage) symptom(x *openSymptom, at int) {
	s := f.style
	main := at == 0 && len(f.r.Findings) == 0
	title := joined(", ", fmt.Sprintf("%s (%s)", strings.TrimSuffix(x.Title, "."), x.ID), subjects(x.subjects, 3))
	rows := s.rows("SEEN", title, labelColumns, 2)
	if p := best(x.proofs); p != nil {
		rows = append(rows, f.quoted("", *p, 2)...)
	}
	short := []form{{rows, keepProofs}, {rows: s.titled("SEEN", joined(", ", x.ID, subjects(x.subjects, 1)), x.Title), keep: keepTitles}, {}}
	switch {
	case main:
		short = []form{{rows: rows}}
	case at < screenSeen:
		short = short[:2]
	}
	f.add(short...)
	if x.Look != "" {
		f.add(form{s.complete("NEXT", "check "+x.Look, "", labelColumns, 2), keepVerify}, form{s.complete("NEXT", "check "+x.Look, "", labelColumns, 1), keepTitles}, form{})
	}
	for i, k := range x.Checks {
		run, where := catalog.Remedy{Where: k.Where}.Placed(k.Run)
		rows := append(s.complete("", fmt.Sprintf("%d. %s", i+1, joined("; ", on(where), string(k.Expect))), "", detailColumns, 1), s.commandRows(string(run), codeColumns)...)
		keep := keepNext
		if main && i == 0 {
			keep = keepCommands
		}
		f.add(form{rows, keep}, form{})
	}
}

// standsOut writes the most significant lines without a known cause: few rows each if there is a finding.
func (f *firstPage) standsOut() {
	for i, l := range f.r.StandsOut {
		p := proof{Ref: evidence.Ref{Source: whose(l, f.r.Report), Text: l.Text}}
		if i == 0 {
			f.gap()
			f.add(form{f.style.row("", "Lines of the evidence without a known cause:", 0), keepNames}, form{})
		}
		switch {
		case i == 0 && len(f.r.Findings) == 0:
			f.add(form{f.quoted("LINE", p, rowsAlone), keepSummary}, form{rows: f.quoted("LINE", p, 3)})
		case i == 0:
			f.add(form{f.quoted("LINE", p, rowsBeside), keepSecond}, form{rows: f.quoted("LINE", p, 2)})
		default:
			f.add(form{f.quoted("LINE", p, 3), keepSecond}, form{f.quoted("LINE", p, 2), keepTitles}, form{})
		}
	}
}

// around writes what surrounds the faults, one row each: what nodes that failed together share, how they differ from healthy
// ones, what changed before, and which pods wait.
func (f *firstPage) around() {
	s := f.style
	for _, says := range f.r.cohorts {
		f.add(form{s.rows("", says, detailColumns, 2), keepBlank}, form{s.row("", says, detailColumns), keepTitles}, form{})
	}
	for _, a := range f.r.Apart {
		f.apart(a)
	}
	f.before()
	for i, says := range f.r.waiting {
		rows := append(s.rows("WAITING", says, labelColumns, 2), s.commandRows(string(f.r.Waiting[i].How), codeColumns)...)
		f.add(form{rows, keepNext}, form{s.row("WAITING", says, labelColumns), keepTitles}, form{})
	}
}

// before writes what changed before a fault, which need not be the reason: a few changes, or the last.
func (f *firstPage) before() {
	list := f.r.before
	if len(list) == 0 {
		return
	}
	s := f.style
	rows := []string{s.paint(bold, "Changed before") + " (not necessarily the reason)"}
	for _, says := range list[:min(len(list), screenBefore)] {
		rows = append(rows, s.rows("", says, detailColumns, 2)...)
	}
	f.add(form{rows, keepGaps}, form{s.row("", "changed before: "+list[0], detailColumns), keepChanges}, form{})
}

// apart writes how a node differs from healthy ones: a few differences, or the first.
func (f *firstPage) apart(a triage.Apart) {
	says, left := differences(a, f.r.Report, screenApart)
	if len(says) == 0 {
		return
	}
	s := f.style
	rows := s.block("", apartSays(a), detailColumns)
	for _, d := range says {
		rows = append(rows, s.rows("", d, labelColumns, 2)...)
	}
	if left > 0 {
		rows = append(rows, s.row("", "... "+wording.Counted(left, "more difference", "more differences")+" (-o wide)", labelColumns)...)
	}
	f.add(form{rows, keepGaps}, form{s.rows("", "different from healthy nodes: "+says[0], detailColumns, 2), keepChanges}, form{})
}

// tail writes one row each for what was left out, resolved problems, causes that were ruled out and gaps, and how to read on.
func (f *firstPage) tail() {
	s, r := f.style, f.r
	f.gap()
	for _, says := range quietList(r.Report, false) {
		f.add(form{s.rows("", says, 0, 2), keepBlank}, form{rows: s.row("", says, 0)})
	}
	f.over()
	ruledOut := excludedCauses(r.ruledOut)
	f.counted("Ruled out", len(ruledOut), f.wholeNames(fmt.Sprintf("Ruled out (%d): ", len(ruledOut)), ruledOut, 4))
	f.unchecked()
	if says := knowledgeSays(r.Knowledge); len(r.Knowledge) > 1 {
		f.add(form{s.row("", "Knowledge: "+says, 0), keepCounts}, form{})
	}
	f.add(form{rows: s.row("", f.details(), 0)})
}

// over writes the resolved problems: each with what ended it, the names, or how many there are.
func (f *firstPage) over() {
	list := f.r.resolved
	if len(list) == 0 {
		return
	}
	f.counted("Resolved", len(list), resolvedLine(list, f.r.TakenAt))
	rows := []string{fmt.Sprintf("Resolved (%d):", len(list))}
	for _, e := range list[:min(len(list), screenOver)] {
		rows = append(rows, f.style.rows("", strings.TrimSuffix(e.Title, ".")+" "+e.says(f.r.TakenAt), detailColumns, 2)...)
	}
	last := len(f.parts) - 1
	f.parts[last] = slices.Insert(f.parts[last], 0, form{rows, keepNames})
}

// wholeNames returns up to n names that fit the rest of a row after this head, so that none is cut.
func (f *firstPage) wholeNames(head string, names []string, n int) string {
	for n = min(n, len(names)); n > 0; n-- {
		says := strings.Join(names[:n], ", ")
		if n < len(names) {
			says += ", ..."
		}
		if n == 1 || wording.Columns(head+says) <= f.style.width() {
			return says
		}
	}
	return ""
}

// counted writes the names of a list in one row, or only how many there are.
func (f *firstPage) counted(name string, n int, names string) {
	if n == 0 {
		return
	}
	long := f.style.row("", fmt.Sprintf("%s (%d): %s", name, n, names), 0)
	f.add(form{long, keepNames}, form{[]string{fmt.Sprintf("%s: %d", name, n)}, keepCounts}, form{})
}

// unchecked writes what could not be checked: the first gaps with the command that shows them, and how many there are. A command
// that is cut is useless, so it is left out if it does not fit. Without a finding the gaps are the best hint.
func (f *firstPage) unchecked() {
	gaps, absent := f.r.gaps, f.r.absent
	n := len(gaps) + len(absent)
	if n == 0 {
		return
	}
	count, all := fmt.Sprintf("Not checked: %d", n), fmt.Sprintf("Not checked (%d): ", n)
	switch {
	case len(gaps) == 0: // the number is of kinds of objects
		count, all = "Not read: "+wording.Count(n, "kind"), "Not read ("+wording.Count(n, "kind")+"): "
	case n == 1:
		all = "Not checked: "
	}
	says := apply(gaps[:min(len(gaps), screenGaps)], gapSays)
	var read []string // the rows of the command that reads the missing kinds
	get := missingKinds(absent)
	if len(absent) > 0 {
		names := absentNames(absent, screenKinds)
		if len(gaps) == 0 { // the head says it
			names = strings.TrimPrefix(names, notInEvidence)
		}
		if get != "" {
			read = append(f.style.commandRows(string(get), codeColumns), f.withMore())
		}
		says = append(says, names)
	}
	var forms []form
	keep := keepGaps
	if len(f.r.Findings) == 0 {
		keep = keepTitles
	}
	if len(gaps) <= screenGaps {
		forms = append(forms, form{append(f.gapRows(all, says), read...), keep})
		says = says[:len(says)-1]
	} else if len(absent) > 0 {
		forms = append(forms, form{append(f.gapRows(firstOf(count, len(says)), says), read...), keep})
		says = says[:len(says)-1]
	}
	for shown := len(says); shown > 0; shown-- {
		forms = append(forms, form{f.gapRows(firstOf(count, shown), says[:shown]), keep})
	}
	last := f.uncheckedRow(count, all, gaps, absent)
	if get != "" && strings.HasSuffix(last, string(get)) {
		forms = append(forms, form{[]string{last, f.withMore()}, keepLong})
	}
	f.add(append(forms, form{rows: []string{last}})...)
}

// firstOf begins a list that shows only its first entries.
func firstOf(count string, shown int) string {
	if shown == 1 {
		return count + ". First: "
	}
	return fmt.Sprintf("%s. The first %d:", count, shown)
}

// gapRows writes entries of what was not checked, and how many there are: before a single entry, above several.
func (f *firstPage) gapRows(head string, says []string) []string {
	if len(says) == 1 {
		return f.style.block("", head+says[0], 0)
	}
	rows := f.style.block("", strings.TrimSuffix(head, " "), 0)
	for _, x := range says {
		rows = append(rows, f.style.block("", "- "+x, detailColumns)...)
	}
	return rows
}

// withMore says what to do with the output of the command that reads what is missing.
func (f *firstPage) withMore() string {
	again := joined(" ", f.style.Evidence, "-f "+moreFile)
	if row := "  then run again with " + again; f.style.Evidence != "" && wording.Columns(row) <= f.style.width() {
		return row
	}
	return "  then run again, and add -f " + moreFile
}

// uncheckedRow is the shortest form: one whole sentence that fits the row, or the number of gaps.
func (f *firstPage) uncheckedRow(count, all string, gaps []triage.NotChecked, absent []evidence.Kind) string {
	rows := apply(gaps, func(g triage.NotChecked) string { return firstOf(count, 1) + g.What })
	if get := missingKinds(absent); get != "" {
		at := len(rows)
		if slices.Contains(absent, evidence.Pods) { // they are what is hurt
			at = 0
		}
		rows = slices.Insert(rows, at, all+string(get))
	}
	for _, row := range rows {
		if wording.Columns(row) <= f.style.width() {
			return row
		}
	}
	return count + ". -o wide lists them"
}

// details returns how to read on. It fits one row with the longest id.
func (f *firstPage) details() string {
	out := "More: -o wide"
	if len(f.r.Findings) > 0 {
		out += "; " + string(shell.Format("nodetriage explain {id}", f.r.Findings[0].Cause))
	}
	return out
}
