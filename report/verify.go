package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Verification writes whether a node works again, for a terminal: the verdict, a line a step, and the state of the earlier
// findings.
func Verification(w io.Writer, v *verify.Verification, style Style) error {
	return verificationOn.text(w, v, style)
}

// VerificationMarkdown writes it for a ticket.
func VerificationMarkdown(w io.Writer, v *verify.Verification) error {
	return verificationOn.markdown(w, v)
}

// VerificationHTML writes it as one self-contained page.
func VerificationHTML(w io.Writer, v *verify.Verification, version string) error {
	return verificationOn.html(w, v, version)
}

var verificationOn paged[verify.Verification] = func(p canvas, v *verify.Verification) {
	word := strings.ToUpper(words(v.Verdict))
	rest := v.Source
	if v.TakenAt != nil {
		rest += ", as of " + wording.Instant(*v.TakenAt)
	}
	p.title(word, resultColor(v.Verdict), rest)
	if v.Since != nil {
		p.note("only messages and events after " + wording.Instant(*v.Since) + " are considered")
	}
	if several := faultCount(v.Faults); several != "" {
		p.note(several + string(shell.Format(": nodetriage diagnose {node} tells them apart", v.Node)))
	}
	if len(v.Over) > 0 && !p.wide() {
		p.note("over: " + overLine(v.Over, v.TakenAt))
	}
	p.blank()
	steps := slices.Clone(v.Steps)
	if !p.wide() { // one screen leaves out the last steps
		slices.SortStableFunc(steps, func(a, b verify.Step) int { return cmp.Compare(shownAt(a.Result), shownAt(b.Result)) })
	}
	for _, s := range steps {
		p.judged(judged{words(s.Result), resultColor(s.Result), s.Title, stepTime(s, v.TakenAt), s.Detail})
		writeHow(p, string(s.How))
	}
	if c := v.Comparison; c != nil {
		p.section("Before and after")
		for _, ch := range c.Changes {
			p.judged(judged{word: string(ch.Now), color: becameColor(ch.Now), text: fmt.Sprintf("%s (%s): %s", ch.Cause, ch.Subject, ch.Because)})
		}
		if len(c.Changes) == 0 {
			p.paragraph("nothing was found before, and nothing is now")
		}
	}
	if p.wide() {
		writeOver(p, v.Over, v.TakenAt)
	}
	writeKnowledge(p, v.Knowledge)
}

// shownAt returns the place of a step with this result: failed ones first, then the unknown ones.
func shownAt(r verify.Result) int {
	switch r {
	case verify.NotClear:
		return 0
	case verify.Unknown, verify.Warning:
		return 1
	}
	return 2
}

// stepTime returns the duration of a step, or how long its state has lasted.
func stepTime(s verify.Step, now *time.Time) string {
	switch {
	case s.Took != "":
		return s.Took
	case s.Since != nil && now != nil:
		return wording.Duration(now.Sub(*s.Since))
	}
	return ""
}

// words returns the word of a result.
func words(r verify.Result) string {
	switch r {
	case verify.Clear:
		return "passed"
	case verify.NotClear:
		return "failed"
	}
	return string(r)
}

func resultColor(r verify.Result) string {
	switch r {
	case verify.NotClear:
		return red
	case verify.Unknown, verify.Warning:
		return yellow
	case verify.Clear:
		return green
	}
	return dim
}

func becameColor(s triage.State) string {
	switch s {
	case triage.Stays, triage.Newly:
		return red
	case triage.Unseen:
		return yellow
	}
	return green
}
