package report

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// screenFaults is how many independent faults the one-screen form lists.
const screenFaults = 5

// fault is one of several independent faults: the number of its finding (0 if no cause is known) and its description.
type fault struct {
	finding int
	says    string
}

// independent lists the faults of the report, how many there are and on how many nodes. It returns nothing for a single fault,
// because the findings describe it.
func independent(r *triage.Report) (head string, list []fault) {
	groups := r.Independent()
	if len(groups) < 2 {
		return "", nil
	}
	number := map[string]int{}
	for i, f := range r.Findings {
		number[f.Cause] = i + 1
	}
	var all []evidence.Subject
	for _, g := range groups {
		all = append(all, g.Subjects...)
		list = append(list, fault{number[g.Cause], faultSays(g, r)})
	}
	head = faultCount(len(groups))
	if nodes := triage.Nodes(all); nodes > 0 {
		head += ", on " + wording.Count(nodes, "node")
	}
	return head, list
}

func faultSays(g triage.Group, r *triage.Report) string {
	out := faultTitle(g, r)
	if who := subjects(g.Subjects, 3); who != "" {
		out += ": " + who
	}
	return joined("; ", out, began(g.Since, r.TakenAt))
}

// faultTitle returns the title of the first finding, or what was seen if no cause is known.
func faultTitle(g triage.Group, r *triage.Report) string {
	for _, f := range r.Findings {
		if f.Cause == g.Cause {
			return strings.TrimSuffix(f.Title, ".")
		}
	}
	if g.Cause != "" {
		return g.Cause
	}
	title := map[string]string{}
	for _, s := range r.Symptoms {
		title[s.ID] = strings.TrimSuffix(s.Title, ".")
	}
	return wording.First(apply(g.Symptoms, func(id string) string { return named(title[id], id) }), 2) + ", without a known cause"
}

// mark returns the number of the finding below.
func (f fault) mark() string {
	if f.finding == 0 {
		return "-"
	}
	return fmt.Sprint(f.finding)
}

func (t *text) faults(d *diagnosis) {
	if d.faultsHead == "" {
		return
	}
	t.section(d.faultsHead)
	limit := t.limit(screenFaults, len(d.faults))
	for _, f := range d.faults[:limit] {
		t.line("%s%-2s %s", margin, f.mark(), wording.Wrap(shorten(f.says, 2*t.style.width()-16), t.style.width(), margin+margin))
	}
	t.more(len(d.faults)-limit, margin, "fault", "faults")
}
