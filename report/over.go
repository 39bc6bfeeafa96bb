package report

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// screenOver is the number of resolved problems in the one-screen form.
const screenOver = 5

// ended is the resolved problems with one reason, and their subjects.
type ended struct {
	triage.Over
	subjects []evidence.Subject
}

// endings joins resolved problems by cause and by what ended them, in their order. In a large cluster each node has one.
func endings(list []triage.Over) []*ended {
	var out []*ended
	at := map[[2]string]*ended{}
	for _, o := range list {
		key := [2]string{o.Cause, o.EndedBy}
		e := at[key]
		if e == nil {
			e = &ended{Over: o}
			at[key] = e
			out = append(out, e)
		} else {
			e.widen(o)
		}
		e.subjects = append(e.subjects, o.Subject)
	}
	return out
}

// widen extends the time span by that of another problem.
func (e *ended) widen(o triage.Over) {
	if o.From != nil && (e.From == nil || o.From.Before(*e.From)) {
		e.From = o.From
	}
	if o.To != nil && (e.To == nil || o.To.After(*e.To)) {
		e.To = o.To
	}
	e.Evidence = append(e.Evidence[:len(e.Evidence):len(e.Evidence)], o.Evidence...)
}

// says returns everything except the title: the cause, the subjects, the time, and what ended it.
func (e *ended) says(now *time.Time) string {
	out := joined(", ", "("+e.Cause+")", subjects(e.subjects, 3), fromTo(e.From, e.To, now))
	if e.EndedBy != "" {
		out += "; resolved by: " + strings.TrimSuffix(e.EndedBy, ".")
	}
	return out
}

// writeOver writes resolved problems.
func writeOver(s canvas, all []triage.Over, now *time.Time) { writeResolved(s, endings(all), now) }

func writeResolved(s canvas, list []*ended, now *time.Time) {
	if len(list) == 0 {
		return
	}
	s.section("Resolved")
	limit := s.limit(screenOver, len(list))
	for _, e := range list[:limit] {
		s.shortened("", strings.TrimSuffix(e.Title, "."), " "+e.says(now))
		if p := best(e.Evidence); s.wide() && p != nil {
			s.detail(p.says(longest))
		}
	}
	s.left(len(list)-limit, paragraphs, "cause", "causes")
}

// overLine names resolved problems in one line.
func overLine(all []triage.Over, now *time.Time) string { return resolvedLine(endings(all), now) }

func resolvedLine(list []*ended, now *time.Time) string {
	return wording.First(apply(list, func(e *ended) string { return joined(" ", e.Cause, fromTo(e.From, e.To, now)) }), 3)
}
