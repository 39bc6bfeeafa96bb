package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/verify"
	"github.com/nodetriage/nodetriage/wording"
)

// The columns of a verification: result, step, its time, what it rests on.
const (
	resultColumn = 10
	stepColumn   = 12
	timeColumn   = 6
)

// Verification writes whether a node works again, for a terminal: the verdict, a line a step, and what has become of
// what was found before.
func Verification(w io.Writer, v *verify.Verification, style Style) error {
	v = cleaned(v)
	p := screen{style: style}
	word := strings.ToUpper(words(v.Verdict))
	rest := v.Source
	if v.TakenAt != nil {
		rest += ", as of " + wording.Instant(*v.TakenAt)
	}
	p.line("%s  %s", style.paint(bold+";"+resultColor(v.Verdict), word), wrapFrom(rest, len(word)+2, style.width(), margin))
	if v.Since != nil {
		p.line("%s%s", margin, wrap("messages and events count since "+wording.Instant(*v.Since), style.width(), margin))
	}
	if several := faultCount(v.Faults); several != "" {
		p.line("%s%s", margin, wrap(several+": nodetriage diagnose "+v.Node+" tells them apart", style.width(), margin))
	}
	if len(v.Over) > 0 && !style.Wide {
		p.line("%s%s", margin, wrap("over: "+overLine(v.Over, v.TakenAt), style.width(), margin))
	}
	p.line("")
	indent := margin + strings.Repeat(" ", resultColumn+stepColumn+timeColumn)
	for _, s := range v.Steps {
		head := fmt.Sprintf("%-*s%-*s", stepColumn, s.Title, timeColumn, stepTime(s, v.TakenAt))
		result := fmt.Sprintf("%-*s", resultColumn, words(s.Result))
		p.line("%s%s%s%s", margin, style.paint(resultColor(s.Result), result), head, wrap(s.Detail, style.width(), indent))
		if s.How != "" {
			p.line("%s%s", indent, style.paint(dim, wrap("-> "+s.How, style.width(), indent+"   ")))
		}
	}
	if c := v.Comparison; c != nil {
		p.section("Before and after")
		for _, ch := range c.Changes {
			p.line("%s%s%s", margin, style.paint(becameColor(ch.Now), fmt.Sprintf("%-*s", resultColumn, string(ch.Now))),
				wrap(fmt.Sprintf("%s (%s): %s", ch.Cause, ch.Subject, ch.Because), style.width(), margin+strings.Repeat(" ", resultColumn)))
		}
		if len(c.Changes) == 0 {
			p.paragraph("nothing was found before, and nothing is now")
		}
	}
	if style.Wide {
		p.over(v.Over, v.TakenAt)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// stepTime is how long a step took, or how long it has been so.
func stepTime(s verify.Step, now *time.Time) string {
	switch {
	case s.Took != "":
		return s.Took
	case s.Since != nil && now != nil:
		return wording.Duration(now.Sub(*s.Since))
	}
	return ""
}

func words(r verify.Result) string { return strings.ReplaceAll(string(r), "-", " ") }

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
