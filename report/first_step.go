package report

import (
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

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

// precondition writes what to do before anything else. Its command stands in the sentence if that saves a row, and gives way to the
// commands of the fix.
func (f *firstPage) precondition(x *triage.Finding, before []string) {
	if len(before) == 0 || len(x.Remedies) == 0 {
		return
	}
	f.gap()
	m := quotedCommand.FindStringSubmatch(before[0])
	if m == nil {
		f.add(form{f.style.complete("FIRST", before[0], "", labelColumns, 2), keepImpact}, form{rows: f.style.complete("FIRST", before[0], "", labelColumns, 1)})
		return
	}
	says, run := m[1]+m[3], f.style.commandRows(m[2], codeColumns)
	long, bare := f.style.complete("FIRST", says, "", labelColumns, 2), f.style.complete("FIRST", says, "", labelColumns, 1)
	short := append(bare[:len(bare):len(bare)], run...)
	if whole := f.style.block("FIRST", before[0], labelColumns); len(whole) < len(short) {
		short = whole
	}
	f.add(form{append(long, run...), keepImpact}, form{short, keepLong}, form{rows: bare})
}

// quotedCommand matches the command of a step in the brackets of its sentence.
var quotedCommand = lazyregexp.New("^([^.`]*[^.` ]) \\(`([^`]+)`\\)(.*)$")
