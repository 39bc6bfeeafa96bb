package collect

import (
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// printedApart is the time within which people save related output: a dump, a table, a description.
const printedApart = 5 * time.Minute

// sayings is the common part of two records of one event. A table for one namespace does not show the namespace.
type sayings struct{ kind, name, reason, message string }

func sayingsOf(e *evidence.Event) sayings {
	return sayings{e.Object.Kind, e.Object.Name, e.Reason, strings.Join(strings.Fields(e.Message), " ")}
}

func printed(e *evidence.Event) bool { return e.Ref != (evidence.Ref{}) }

// mergePrinted drops the events of tables and descriptions that other sources show too. kubectl prints rounded ages; other sources
// have the time. Each record of a source equals at most one record of another.
func mergePrinted(d *evidence.Data) {
	if !slices.ContainsFunc(d.Events, printed) {
		return
	}
	slices.SortStableFunc(d.Events, func(a, b *evidence.Event) int { return rankOf(a) - rankOf(b) })
	known := map[sayings][]*evidence.Event{}
	taken := map[*evidence.Event]map[string]bool{} // by the sources with the event
	kept := d.Events[:0]
	for _, e := range d.Events {
		key := sayingsOf(e)
		if printed(e) {
			if same := nearest(d.TakenAt, e, known[key], taken); same != nil {
				taken[same][accountOf(e)] = true
				alsoAt(same, e)
				continue
			}
		}
		known[key] = append(known[key], e)
		taken[e] = map[string]bool{accountOf(e): true}
		for _, ref := range e.Also {
			taken[e][described+ref.Source], taken[e][table+ref.Source] = true, true
		}
		kept = append(kept, e)
	}
	clear(d.Events[len(kept):])
	d.Events = kept
}

// alsoAt records on an event the position of another record of it.
func alsoAt(e, other *evidence.Event) {
	if printed(other) {
		e.Also = append(e.Also, evidence.Ref{Source: other.Ref.Source, Locator: other.Ref.Locator})
	}
	e.Also = append(e.Also, other.Also...)
}

// rankOf ranks sources by detail: objects, descriptions (they name the reporter), tables.
func rankOf(e *evidence.Event) int {
	switch {
	case !printed(e):
		return 0
	case e.Component != "":
		return 1
	}
	return 2
}

// accountOf returns the source of the event record. Two records of one source are never the same event.
func accountOf(e *evidence.Event) string {
	switch {
	case !printed(e):
		return ""
	case e.Component != "":
		return described + e.Ref.Source
	}
	return table + e.Ref.Source
}

// Forms in which a source shows events.
const (
	described = "described "
	table     = "table "
)

// nearest returns the event that is most likely the printed one; nil if none fits.
func nearest(now time.Time, e *evidence.Event, list []*evidence.Event, taken map[*evidence.Event]map[string]bool) *evidence.Event {
	var best *evidence.Event
	var least time.Duration
	for _, o := range list {
		if taken[o][accountOf(e)] || conflict(e.Object.Namespace, o.Object.Namespace) || conflict(e.Type, o.Type) || !sameCount(e, o) {
			continue
		}
		apart := time.Duration(0)
		if !e.Last.IsZero() && !o.Last.IsZero() {
			apart = e.Last.Sub(o.Last).Abs()
		}
		if apart <= rounding(now.Sub(e.Last))+printedApart && (best == nil || apart < least) {
			best, least = o, apart
		}
	}
	return best
}

// conflict reports whether two values are known and not equal.
func conflict(a, b string) bool { return a != "" && b != "" && a != b }

// sameCount reports whether two counts may be of one event: it may recur between two queries, and the default table of kubectl has
// no counts.
func sameCount(x, y *evidence.Event) bool {
	if uncounted(x) || uncounted(y) {
		return true
	}
	a, b := max(x.Count, 1), max(y.Count, 1)
	return a == b || a > 1 && b > 1
}

func uncounted(e *evidence.Event) bool { return printed(e) && e.Component == "" && e.Count == 0 }

// rounding returns how much of an age kubectl drops (k8s.io/apimachinery pkg/util/duration).
func rounding(age time.Duration) time.Duration {
	const day = 24 * time.Hour
	switch {
	case age < 10*time.Minute:
		return time.Second
	case age < 8*time.Hour:
		return time.Minute
	case age < 8*day:
		return time.Hour
	}
	return day
}

// rows counts the text lines that were read as events, by text and signature.
type rows map[row]int

type row struct{ source, signature string }

func (r rows) saw(e *evidence.Event, found []*evidence.Match) {
	for _, m := range found {
		if printed(e) {
			r[row{e.Ref.Source, m.Signature}]++
		}
		for _, ref := range e.Also {
			r[row{ref.Source, m.Signature}]++
		}
	}
}

// dropLines drops matches in text lines that were all read as events, because the events have the match.
func (r rows) dropLines(list []*evidence.Match) []*evidence.Match {
	if len(r) == 0 {
		return list
	}
	return slices.DeleteFunc(list, func(m *evidence.Match) bool {
		n := r[row{m.Ref.Source, m.Signature}]
		return m.Kind == "" && n > 0 && n == max(m.Count, 1)
	})
}
