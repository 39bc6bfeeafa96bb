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

// maxPrinted bounds the script output lines that are kept of one cloud document.
const maxPrinted = 5

// powerShell matches the lines that PowerShell prints with every error. The first line of an error has no fixed form.
var powerShell = lazyregexp.New(`^\s*At (?:line|[A-Za-z]:\\[^:]{1,300}\.ps1):\d+ char:\d+|^\s*\+ (?:CategoryInfo|FullyQualifiedErrorId)\s*: `)

// printedLines returns the most severe script output lines of a document that no signature matches, independent of the state of the
// document. A field with several lines, or with a PowerShell error, is the output of a program.
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

// gravest returns the lines of one field, most severe first. A field of one line without a PowerShell error has none.
func gravest(what *cloud.Decoded, from, to int, source string, known map[int]bool) []*evidence.Line {
	texts := slices.Clone(what.Lines[from:to])
	_, texts[0], _ = strings.Cut(texts[0], `": "`) // after the name of the field
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
