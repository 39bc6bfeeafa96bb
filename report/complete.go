package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

var (
	lastPart = lazyregexp.New(`^(.{12,})(?:, (?:and|or|because|so that|while|which|with|not|if|unless|even if|including) |; | because | so that )`)
	nextStep = lazyregexp.New(`^(.{12,})(?:,? (?:then|and|or|until|before|after|if|only) )`) // a name of a fix is complete without it
	purpose  = lazyregexp.New(`^(?:[Ii]f|With|On|For|After|During|To|Until|As|In|When) [^,]*, `)
	// continuesClause matches clauses that belong to the one before.
	continuesClause = lazyregexp.New(`^(?:and|or|but|because|so that|while|which|with|not|if|unless|even if|including)\b`)
	// opensWithCondition matches sentences whose last clause is the main one.
	opensWithCondition = lazyregexp.New(`^(?:If|When|Unless|Until|Before|After|While|As long as|Once|Because|Where) `)
)

// complete is a block of about n rows with a text and its tail. If the text does not fit, it is left without its last sentences,
// its brackets and its last clauses. A sentence is cut only if it needs two more rows.
func (s Style) complete(label, text, tail string, indent, n int) []string {
	var out []string
	for _, short := range shorter(text) {
		if tail != "" {
			short = strings.TrimSuffix(short, ".")
		}
		if out = s.block(label, short+tail, indent); len(out) <= n {
			return out
		}
	}
	if len(out) == n+1 { // half a sentence is worth less than a row
		return out
	}
	return s.rows(label, text+tail, indent, n)
}

// uncut is a block of about n rows with a text. If the text does not fit, it is left without its last sentences, its brackets and its
// last clauses, but no clause is cut: half a warning can say the opposite.
func (s Style) uncut(label, text string, indent, n int) []string {
	var out []string
	for _, short := range shorter(text) {
		if out = s.block(label, short, indent); len(out) <= n {
			break
		}
	}
	return out
}

// fewestRows is a block with a text and its tail in as few rows as the complete forms of the text allow, and as much of it as fits there.
func (s Style) fewestRows(label, text, tail string, indent int) []string {
	var out []string
	for _, short := range shorter(text) {
		if rows := s.block(label, strings.TrimSuffix(short, ".")+tail, indent); out == nil || len(rows) < len(out) {
			out = rows
		}
	}
	return out
}

// titled is one row with a name and its title: without the brackets and the last clauses of the title if it does not fit, or
// without the title.
func (s Style) titled(label, name, title string) []string {
	for _, short := range shorter(strings.TrimSuffix(title, ".")) {
		if out := s.block(label, name+": "+short, labelColumns); len(out) == 1 {
			return out
		}
	}
	return s.row(label, name, labelColumns)
}

// shorter returns a text and its shorter forms that are complete, the longest first.
func shorter(text string) []string {
	out := []string{text}
	list := shell.Sentences(text)
	for n := len(list) - 1; n > 0; n-- {
		out = append(out, strings.Join(list[:n], " "))
	}
	last := shell.WithoutBrackets(out[len(out)-1])
	out = append(out, last)
	for m := lastPart.FindStringSubmatch(last); m != nil && saysWhatToDo(m[1]); m = lastPart.FindStringSubmatch(last) {
		last = strings.TrimRight(m[1], ",")
		out = append(out, last)
	}
	return out
}

// saysWhatToDo reports whether a text has a main clause, and not only the condition with which it begins.
func saysWhatToDo(text string) bool {
	if !opensWithCondition.MatchString(text) {
		return true
	}
	clauses := strings.Split(strings.TrimRight(text, ","), ", ")
	return slices.ContainsFunc(clauses[1:], func(c string) bool { return !continuesClause.MatchString(c) })
}

// titleOfFix returns what a fix does in a few words: its first sentence without the condition, the brackets and the reasons.
func titleOfFix(m *catalog.Remedy) string {
	if m.Short != "" {
		return m.Short
	}
	title := strings.TrimSuffix(shell.WithoutBrackets(shell.Sentences(m.Title)[0]), ".")
	for rest := purpose.ReplaceAllString(title, ""); rest != title; rest = purpose.ReplaceAllString(title, "") {
		title = rest
	}
	for _, short := range shorter(title) {
		title = short
		if wording.Columns(short) <= longTitle {
			break
		}
	}
	for m := nextStep.FindStringSubmatch(title); m != nil && wording.Columns(title) > longTitle; m = nextStep.FindStringSubmatch(title) {
		title = strings.TrimRight(m[1], ",")
	}
	if r, size := utf8.DecodeRuneInString(title); size < len(title) && unicode.IsLower(rune(title[size])) {
		title = string(unicode.ToLower(r)) + title[size:]
	}
	return title
}

// longTitle is the length of a fix from which its last clause is left out.
const longTitle = 48

// titlesOfFixes is a block of at most n rows that names fixes, and counts those that do not fit.
func (s Style) titlesOfFixes(list []catalog.Remedy, n int) []string {
	if len(list) == 0 {
		return nil
	}
	label, all := "  More fixes (-o wide):", make([]string, 0, len(list))
	for i := range list {
		all = append(all, titleOfFix(&list[i]))
	}
	var shown []string
	var out []string
	for _, title := range all {
		says := strings.Join(append(shown, title), "; ")
		if left := len(all) - len(shown) - 1; left > 0 {
			says += fmt.Sprintf("; %d more", left)
		}
		if rows := s.block(label, says, detailColumns); len(rows) <= n {
			shown, out = append(shown, title), rows
		}
	}
	if out != nil {
		return out
	}
	return s.rows(label, strings.Join(all, "; "), detailColumns, n) // no name fits
}
