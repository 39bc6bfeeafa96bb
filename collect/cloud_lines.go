package collect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/wording"
)

// maxPrinted bounds the lines that are kept of what scripts printed into one document of a cloud.
const maxPrinted = 5

// powerShell are the lines that PowerShell prints with every error, whose first words have no form of their own.
var powerShell = lazyregexp.New(`^\s*At (?:line|[A-Za-z]:\\[^:]{1,300}\.ps1):\d+ char:\d+|^\s*\+ (?:CategoryInfo|FullyQualifiedErrorId)\s*: `)

// printedLines are the gravest lines that no signature reads of what scripts printed into a document, whatever state the document
// gives them: a field of several lines, or one with an error of PowerShell, is the output of a program.
func printedLines(what *cloud.Decoded, source string, read []signatures.Tally) []*evidence.Line {
	known := map[int]bool{}
	for _, t := range read {
		known[t.Line-1] = true
	}
	var out []*evidence.Line
	for from := 0; from < len(what.Lines); {
		to := from + 1
		for to < len(what.Lines) && what.Paths[to] == what.Paths[from] {
			to++
		}
		out = append(out, gravest(what, from, to, source, known)...)
		from = to
	}
	return out[:min(len(out), maxPrinted)]
}

// gravest are the lines of one field, the gravest first; none of a field of one line that is no error of PowerShell.
func gravest(what *cloud.Decoded, from, to int, source string, known map[int]bool) []*evidence.Line {
	texts := slices.Clone(what.Lines[from:to])
	_, texts[0], _ = strings.Cut(texts[0], `": "`) // behind the name of the field
	speaker := logline.Cloud
	if slices.ContainsFunc(texts, powerShell.MatchString) {
		speaker = logline.Bootstrap
	} else if len(texts) == 1 {
		return nil
	}
	var out []*evidence.Line
	for i, text := range texts {
		gravity := logline.GravityOf(text)
		if known[from+i] || gravity < logline.Error {
			continue
		}
		out = append(out, &evidence.Line{
			Ref:     evidence.Ref{Source: source, Locator: what.Paths[from], Text: wording.Cut(strings.TrimSpace(text), maxEvidence), ObservedAt: what.At},
			Subject: what.Subject, Speaker: speaker, Channel: evidence.CloudDocument, Gravity: gravity, Count: 1, Number: from + i + 1, After: len(texts) - 1 - i, Time: what.At,
		})
	}
	slices.SortStableFunc(out, func(a, b *evidence.Line) int { return cmp.Compare(b.Gravity, a.Gravity) })
	return out
}
