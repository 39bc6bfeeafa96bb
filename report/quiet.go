package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// ignoredSays returns how much exceptions excluded.
func ignoredSays(list []triage.Ignored) string {
	var causes []string
	seen := map[string]bool{}
	for _, i := range list {
		if !seen[i.Cause] {
			causes = append(causes, i.Cause)
		}
		seen[i.Cause] = true
	}
	return fmt.Sprintf("%s suppressed by exceptions: %s", wording.Count(len(list), "finding"), wording.First(causes, 3))
}

// ignoredLine describes one exclusion.
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

// filterSays describes the filter, and how much it excluded.
func filterSays(f *triage.Filter) string {
	return fmt.Sprintf("Filter: %s; %s hidden.", chosen(f), wording.Count(f.LeftOut, "finding"))
}

// chosen describes what the filter selects.
func chosen(f *triage.Filter) string {
	var out []string
	add := func(what, value string) {
		if value != "" {
			out = append(out, what+" "+value)
		}
	}
	add("severity at least", string(f.Severity))
	add("certainty at least", string(f.Certainty))
	add("cause", strings.Join(f.Causes, " or "))
	add("namespace", f.Namespace)
	add("pool", strings.Join(f.Pools, " or "))
	return strings.Join(out, ", ")
}

// quietList lists everything that exceptions and filters excluded, a line each.
func quietList(r *triage.Report, wide bool) []string {
	var out []string
	if r.Filter != nil && !r.HidesAll() { // the verdict says so otherwise
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
	s.section(hidden)
	for _, says := range list {
		s.paragraph(says)
	}
}

// screenBefore is how many changes the one-screen form lists.
const screenBefore = 5

// beforeList returns the changes before a fault, the newest first. A change before a fault is not necessarily its reason.
func beforeList(r *triage.Report) []string {
	return apply(r.ChangedBefore, func(c triage.ChangedBefore) string {
		out := wording.Instant(c.At)
		if since := startOf(r, c.Before); since != nil {
			out += " (" + wording.Duration(since.Sub(c.At)) + " before " + c.Before + ")"
		}
		return out + "  " + c.Subject.String() + ": " + c.What
	})
}

// startOf returns when a finding began; nil if unknown.
func startOf(r *triage.Report, cause string) *time.Time {
	for _, f := range r.Findings {
		if f.Cause == cause {
			return f.Since
		}
	}
	return nil
}

func (s *screen) before(list []string) {
	if len(list) == 0 {
		return
	}
	s.section(changedBefore)
	limit := s.limit(screenBefore, len(list))
	for _, says := range list[:limit] {
		s.paragraph(says)
	}
	s.more(len(list)-limit, margin, "change", "changes")
}

// reviewLeftOut lists what exceptions excluded from a review, a line each.
func reviewLeftOut(r *check.Review, wide bool) []string {
	var out []string
	if n := len(r.Ignored); n > 0 {
		out = append(out, wording.Count(n, "subject")+" suppressed by exceptions")
		if !wide {
			out[0] += " (-o wide lists them)"
		}
	}
	for _, i := range r.Ignored {
		if wide {
			out = append(out, fmt.Sprintf("%s (risk: %s), %s: %s; %s", i.Check, i.Harm, i.Subject, i.Detail, exceptionSays(i.Exception)))
		}
	}
	return append(out, r.ExceptionNotes...)
}
