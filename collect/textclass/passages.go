package textclass

import (
	"slices"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/logline"
	"github.com/nodetriage/nodetriage/prefilter"
)

// passage identifies the lines of a text from a head on, inside and outside of logs.
type passage struct {
	kind  Kind
	marks []string           // each head contains one of them
	head  *lazyregexp.Regexp // of a line without what the log puts before it
	// on is what goes on with it. Lines that are empty or indented deeper than the head always do, unless only is set.
	on    *lazyregexp.Regexp
	until *lazyregexp.Regexp // its last line; nil: the first line that does not go on with it
	// flat: empty lines end it.
	flat bool
}

var passages = []passage{
	{kind: help, marks: []string{"Usage", "USAGE:", "usage:"},
		head: lazyregexp.New(`^\s*(?:Usage|USAGE|usage)(?: of \S+)?:(?:\s|$)`),
		on:   lazyregexp.New(`^\s*--?\w|^(?:[A-Z][\w /(),-]{1,60}|[A-Z][A-Z ]{2,40}):?\s*$|^Use "[^"]{1,100}" |^\s{2,}\S`)},
	{kind: advice, marks: []string{"caused by", "auses", "easons", "olutions", "ixes", "orkarounds", "xplanations", "uggestion", "Hint", "hint:", "Tip:", "Tips:", "ecommend", "ext steps", "emediation", "elated issue", "following", "roubleshooting"},
		head: lazyregexp.New(`(?i)\b(?:likely|possibly|probably|usually|commonly|typically|often|(?:may|might|could|can) (?:also )?be) caused by:?\s*$|\b(?:possible|potential|common|likely|probable|typical|usual)\W+(?:root )?(?:causes|reasons|explanations|solutions|fixes|workarounds)\b[^:]{0,60}:\s*$|^\W*(?:suggestions?|hints?|tips?|troubleshooting(?: tips?| steps?)?|recommendations?|recommended actions?|next steps|remediation(?: steps?)?|related issues?)\s*:|\b(?:you can|try|please try|consider)\b[^:]{0,80}\b(?:following|these)\b[^:]{0,60}:\s*$`),
		on:   lazyregexp.New(`^\s*(?:[-*•▪·]|\d{1,2}[.)]|\[\d{1,2}\])\s|^\s*(?:If you are on|Additionally, |To (?:see|debug|troubleshoot|fix|resolve) |Here is one example|Once you have found|For more (?:information|details))`)},
	{kind: schema, marks: []string{"KIND:", "GROUP:"}, head: lazyregexp.New(`^(?:KIND|GROUP):\s{2,}\S`), on: anything},
	{kind: schema, marks: []string{"openAPIV3Schema"}, head: lazyregexp.New(`^\s*"?openAPIV3Schema"?:`)},
	{kind: manual, marks: []string{"(1)", "(2)", "(3)", "(4)", "(5)", "(7)", "(8)"},
		head: lazyregexp.New(`^[A-Za-z][\w.-]{0,40}\(\d\w?\)\s{2,}\S.*\s[A-Za-z][\w.-]{0,40}\(\d\w?\)\s*$`), on: anything},
	{kind: alertRules, marks: []string{"alert: ", "record: "},
		head: lazyregexp.New(`^\s*-? ?(?:alert|record): \w[\w:]*\s*$`), on: lazyregexp.New(`^\s*(?:- )?(?:alert|record|expr|for|labels|annotations|keep_firing_for):`)},
	{kind: tests, marks: []string{"<testsuite"}, head: lazyregexp.New(`^\s*<testsuites?\b`), on: anything, until: lazyregexp.New(`</testsuites?>\s*$`)},
	{kind: settings, marks: []string{"[Unit]", "[Service]", "[Install]", "[Socket]", "[Timer]"},
		head: lazyregexp.New(`^\s*\[(?:Unit|Service|Install|Socket|Timer)\]\s*$`), on: lazyregexp.New(`^\s*(?:[#;]|[A-Z]\w+=|\[(?:Unit|Service|Install|Socket|Timer)\])`)},
	{kind: settings, marks: []string{"EOF"}, head: lazyregexp.New(`<<-?\s?["']?EOF["']?`), on: anything, until: lazyregexp.New(`^\s*EOF\s*$`)},
	{kind: wish, marks: []string{"olerations:", "abels:", "nnotations:", "elector:", "nvironment:", "nvironment Variables from:", "rgs:", "ommand:", "ounts:", "iveness:", "eadiness:", "tartup:", "Topology Spread Constraints:", "env:", `ons":`, `els":`, `env":`},
		head: lazyregexp.New(`^\s*(?:Tolerations|Labels|Annotations|Selector|Topology Spread Constraints|Environment(?: Variables from)?|Args|Command|Mounts|Liveness|Readiness|Startup):(?:\s|$)|^\s*"?(?:tolerations|labels|matchLabels|annotations|env)"?:\s*[\[{|>-]{0,2}\s*$`),
		on:   lazyregexp.New(`^\s*- `), flat: true},
}

// anything goes on with a passage that only its last line or the next part of the text ends.
var anything = lazyregexp.New(`^`)

// passageMarks find the lines that may be a head.
var passageMarks = sync.OnceValue(func() *prefilter.Marks {
	var all []string
	for _, p := range passages {
		all = append(all, p.marks...)
	}
	return prefilter.NewMarks(all...)
})

// open is a passage while its lines come.
type open struct {
	of      *passage
	depth   int    // indentation of its head
	program string // who writes it into a log
}

// passageOf is the passage that a line begins; nil: none.
func passageOf(said string) *passage {
	for i := range passages {
		p := &passages[i]
		if slices.ContainsFunc(p.marks, func(m string) bool { return strings.Contains(said, m) }) && p.head.MatchString(said) {
			return p
		}
	}
	return nil
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

// programOf is who wrote a line into a log.
func programOf(line string) string { return logline.ReadOrigin(line, noTime).Program }
