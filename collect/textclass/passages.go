package textclass

import (
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// passage classifies the lines of a text from a first line (head) on, inside and outside of logs.
type passage struct {
	kind  Kind
	marks []string // each head contains one of them
	at    position // of the mark in the head
	head  *lazyregexp.Regexp
	// on matches lines that continue it. Empty lines, and lines indented deeper than the head, always do, unless flat or until is
	// set.
	on    *lazyregexp.Regexp
	until *lazyregexp.Regexp // its last line; nil: the first line that does not continue it
	flat  bool               // empty lines end it
}

// position is where a mark is in a head.
type position int

const (
	opens    position = iota // at the start of the message
	closes                   // the line ends with a colon or a preposition after it
	anywhere                 // in a typed command, or in a line that ends with a parenthesis
)

var passages = []passage{
	{kind: help, marks: []string{"Usage:", "Usage of ", "USAGE:", "usage:"},
		head: lazyregexp.New(`^\s*(?:Usage|USAGE|usage)(?: of \S+)?:(?:\s|$)`),
		on:   lazyregexp.New(`^\s*--?\w|^[A-Z][\w /(),-]{1,60}:\s*$|^[A-Z][A-Z ]{2,40}\s*$|^Use "[^"]{1,100}" |^\s{2,}\S`)},
	{kind: advice, at: closes, marks: []string{"caused by", "auses", "easons", "xplanations", "olutions", "ixes", "orkarounds", "following", "these"},
		head: lazyregexp.New(`(?i)\b(?:likely|possibly|probably|usually|commonly|typically|often|(?:may|might|could|can) (?:also )?be) caused by:?\s*$|\b(?:possible|potential|common|likely|probable|typical|usual)\W+(?:root )?(?:causes|reasons|explanations|solutions|fixes|workarounds)\b[^:]{0,60}:\s*$|\b(?:you can|try|please try|consider)\b[^:]{0,80}\b(?:following|these)\b[^:]{0,60}:\s*$`),
		on:   adviceOn},
	{kind: advice, marks: []string{"Suggestion:", "Suggestions:", "suggestion:", "Hint:", "Hints:", "hint:", "HINT:", "Tips:", "Troubleshooting:", "Troubleshooting tips:", "Troubleshooting steps:", "Recommendation:", "Recommendations:", "Recommended action:", "Recommended actions:", "Next steps:", "Remediation:", "Related issue:", "Related issues:"},
		head: lazyregexp.New(`(?i)^\W*(?:suggestions?|hints?|tips?|troubleshooting(?: tips| steps)?|recommendations?|recommended actions?|next steps|remediation|related issues?):`),
		on:   adviceOn},
	{kind: advice, marks: []string{"NOTES:"}, head: lazyregexp.New(`^NOTES:\s*$`), on: anything}, // helm install
	{kind: schema, marks: []string{"KIND:", "GROUP:"}, head: lazyregexp.New(`^(?:KIND|GROUP):\s{2,}\S`), on: anything},
	{kind: schema, marks: []string{"openAPIV3Schema"}, head: lazyregexp.New(`^\s*"?openAPIV3Schema"?:`)},
	{kind: manual, at: anywhere, marks: []string{"(1)", "(2)", "(3)", "(4)", "(5)", "(7)", "(8)"},
		head: lazyregexp.New(`^[A-Za-z][\w.-]{0,40}\(\d\w?\)\s{2,}\S.*\s[A-Za-z][\w.-]{0,40}\(\d\w?\)\s*$`), on: anything},
	{kind: alertRules, marks: []string{"alert: ", "record: "},
		head: lazyregexp.New(`^\s*-? ?(?:alert|record): \w[\w:]*\s*$`), on: lazyregexp.New(`^\s*(?:- )?(?:alert|record|expr|for|labels|annotations|keep_firing_for):`)},
	{kind: tests, marks: []string{"<testsuite"}, head: lazyregexp.New(`^\s*<testsuites?\b`), on: anything, until: lazyregexp.New(`</testsuites?>\s*$`)},
	{kind: settings, marks: []string{"[Unit]", "[Service]", "[Install]", "[Socket]", "[Timer]"},
		head: lazyregexp.New(`^\s*\[(?:Unit|Service|Install|Socket|Timer)\]\s*$`), on: lazyregexp.New(`^\s*(?:[#;]|[A-Z]\w+=|\[(?:Unit|Service|Install|Socket|Timer)\])`)},
	{kind: settings, at: anywhere, marks: []string{"<<EOF", "<< EOF", "<<-EOF", "<<'EOF'", `<<"EOF"`},
		head: lazyregexp.New(`<<-?\s?["']?EOF["']?`), on: anything, until: lazyregexp.New(`^\s*EOF\s*$`)},
	{kind: wish, marks: []string{"Tolerations:", "Labels:", "Annotations:", "Selector:", "Topology Spread Constraints:", "Environment:", "Environment Variables from:", "Args:", "Command:", "Mounts:", "Liveness:", "Readiness:", "Startup:",
		"tolerations:", "labels:", "matchLabels:", "annotations:", `tolerations":`, `labels":`, `matchLabels":`, `annotations":`},
		head: lazyregexp.New(`^\s*(?:Tolerations|Labels|Annotations|Selector|Topology Spread Constraints|Environment(?: Variables from)?|Args|Command|Mounts|Liveness|Readiness|Startup):(?:\s|$)|^\s*"?(?:tolerations|labels|matchLabels|annotations)"?:\s*[\[{|>-]{0,2}\s*$`),
		on:   lazyregexp.New(`^\s*- `), flat: true},
}

// adviceOn matches the lines of a list of advice, and the sentences with which kubeadm continues it.
var adviceOn = lazyregexp.New(`^\s*(?:[-*•▪·]|\d{1,2}[.)]|\[\d{1,2}\])\s|^\s*(?:If you are on|Additionally, |To (?:see|debug|troubleshoot|fix|resolve) |Here is one example|Once you have found|For more (?:information|details))`)

// anything continues a passage that only its last line or the next part of the text ends.
var anything = lazyregexp.New(`^`)

// passageMarks find lines that may be a head.
var passageMarks = sync.OnceValue(func() *prefilter.Marks {
	var all []string
	for _, p := range passages {
		if p.at == opens {
			all = append(all, p.marks...)
		}
	}
	return prefilter.NewMarks(all...)
})

// maxOpening is the maximum end position of a mark at the start of a message, in bytes.
const maxOpening = 120

// mayBegin is a fast check whether a line may be a head.
func mayBegin(line string) bool {
	return len(line) <= maxRow && (closed(line) || strings.HasSuffix(line, ")") || passageMarks().InString(line[:min(len(line), maxOpening)]))
}

// open is a passage whose lines are being read.
type open struct {
	of      *passage
	depth   int    // indentation of its head
	program string // the program that logs it
}

// passageOf returns the passage that a line starts; nil: none.
func passageOf(line string) *passage {
	said, cut := "", false
	for i := range passages {
		p := &passages[i]
		if !p.mayBegin(line) {
			continue
		}
		if !cut {
			said, cut = saidIn(line), true
		}
		if p.head.MatchString(said) {
			return p
		}
	}
	return nil
}

// mayBegin checks the positions of the marks of a head.
func (p *passage) mayBegin(line string) bool {
	for _, mark := range p.marks {
		at := strings.Index(line, mark)
		if at < 0 {
			continue
		}
		if p.at.fits(line, at) {
			return true
		}
	}
	return false
}

// fits reports whether a mark is at its required position in the line.
func (p position) fits(line string, at int) bool {
	switch p {
	case opens:
		return opened(line[:at])
	case closes:
		return closed(line)
	}
	return true
}

// opened reports whether the text before a mark may be a log prefix, or is empty.
func opened(before string) bool {
	before = strings.TrimRight(before, " \t\"*-")
	return before == "" || strings.IndexByte(":]Z0123456789", before[len(before)-1]) >= 0 || len(before) < 8
}

func closed(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, " by")
}

// goesOn reports whether a line belongs to the passage.
func (o *open) goesOn(said string) bool {
	blank := strings.TrimSpace(said) == ""
	switch {
	case blank:
		return !o.of.flat
	case indent(said) > o.depth && o.of.until == nil:
		return true
	}
	return o.of.on != nil && o.of.on.MatchString(said) && indent(said) >= o.depth
}

func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// programOf returns the program that logged a line.
func programOf(line string) string { return logline.ReadOrigin(line, noTime).Program }
