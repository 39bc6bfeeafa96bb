package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// ignoredSays is how much exceptions left out.
func ignoredSays(list []triage.Ignored) string {
	var causes []string
	seen := map[string]bool{}
	for _, i := range list {
		if !seen[i.Cause] {
			causes = append(causes, i.Cause)
		}
		seen[i.Cause] = true
	}
	return fmt.Sprintf("%s left out by exceptions: %s", wording.Count(len(list), "finding"), wording.First(causes, 3))
}

// ignoredLine is one of them.
func ignoredLine(i triage.Ignored) string {
	return fmt.Sprintf("%s (%s, %s), %s; %s", i.Cause, i.Severity, i.Certainty, i.Subject, exceptionSays(i.Exception))
}

func exceptionSays(e triage.Exception) string {
	out := "until " + e.Until + ": " + strings.TrimSuffix(e.Why, ".")
	if e.Who != "" {
		out += " (" + e.Who + ")"
	}
	return out + "; " + e.Where
}

// filterSays is what was chosen, and how much that left out.
func filterSays(f *triage.Filter) string {
	var chosen []string
	add := func(what, value string) {
		if value != "" {
			chosen = append(chosen, what+" "+value)
		}
	}
	add("severity at least", string(f.Severity))
	add("certainty at least", string(f.Certainty))
	add("cause", strings.Join(f.Causes, " or "))
	add("namespace", f.Namespace)
	add("pool", strings.Join(f.Pools, " or "))
	return fmt.Sprintf("Shown: %s; %s left out.", strings.Join(chosen, ", "), wording.Count(f.LeftOut, "finding"))
}

// quietList is everything that was left out by wish, a line each.
func quietList(r *triage.Report, wide bool) []string {
	var out []string
	if r.Filter != nil {
		out = append(out, filterSays(r.Filter))
	}
	switch {
	case len(r.Ignored) > 0 && wide:
		out = append(out, ignoredSays(r.Ignored)+":")
		out = append(out, apply(r.Ignored, ignoredLine)...)
	case len(r.Ignored) > 0:
		out = append(out, ignoredSays(r.Ignored)+" (-o wide lists them)")
	}
	return append(out, r.ExceptionNotes...)
}

func (s *screen) quiet(r *triage.Report) {
	list := quietList(r, s.style.Wide)
	if len(list) == 0 {
		return
	}
	s.section("Left out")
	for _, says := range list {
		s.paragraph(says)
	}
}

func (m *markdown) quiet(r *triage.Report) {
	for i, says := range quietList(r, true) {
		if i == 0 {
			m.line("\n### Left out\n")
		}
		m.line("- %s", mdText(says))
	}
}

// screenBefore is how many changes the one-screen form lists.
const screenBefore = 5

// beforeList is the changes before a fault, the newest first; that they came before says not that they are the reason.
func beforeList(r *triage.Report) []string {
	return apply(r.ChangedBefore, func(c triage.ChangedBefore) string {
		out := wording.Instant(c.At)
		if since := startOf(r, c.Before); since != nil {
			out += " (" + wording.Duration(since.Sub(c.At)) + " before " + c.Before + ")"
		}
		return out + "  " + c.Subject.String() + ": " + c.What
	})
}

// startOf is when a finding began; nil: not known.
func startOf(r *triage.Report, cause string) *time.Time {
	for _, f := range r.Findings {
		if f.Cause == cause {
			return f.Since
		}
	}
	return nil
}

func (s *screen) before(r *triage.Report) {
	list := beforeList(r)
	if len(list) == 0 {
		return
	}
	s.section("Changed before (not necessarily the reason)")
	limit := s.limit(screenBefore, len(list))
	for _, says := range list[:limit] {
		s.paragraph(says)
	}
	s.more(len(list)-limit, margin, "change", "changes")
}

func (m *markdown) before(r *triage.Report) {
	for i, says := range beforeList(r) {
		if i == 0 {
			m.line("\n### Changed before (not necessarily the reason)\n")
		}
		m.line("- %s", mdText(says))
	}
}

// reviewLeftOut is what exceptions left out of a review, a line each.
func reviewLeftOut(r *check.Review, wide bool) []string {
	var out []string
	if n := len(r.Ignored); n > 0 {
		out = append(out, wording.Count(n, "subject")+" left out by exceptions")
		if !wide {
			out[0] += " (-o wide lists them)"
		}
	}
	for _, i := range r.Ignored {
		if wide {
			out = append(out, fmt.Sprintf("%s (%s harm), %s: %s; %s", i.Check, i.Harm, i.Subject, i.Detail, exceptionSays(i.Exception)))
		}
	}
	return append(out, r.ExceptionNotes...)
}
