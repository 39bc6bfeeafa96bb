package report

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of the differences between a node and its healthy peers: on one screen, and on a page.
const (
	screenApart = 3
	pageApart   = 20
)

// cohorts returns the cohorts whose node reports were not compared in more detail.
func cohorts(r *triage.Report) []triage.Cohort {
	return slices.DeleteFunc(slices.Clone(r.Cohorts), func(c triage.Cohort) bool {
		return len(c.Nodes) == 1 && slices.ContainsFunc(r.Apart, func(a triage.Apart) bool { return a.Node == c.Nodes[0] })
	})
}

// apartSays returns the heading of a node's differences.
func apartSays(a triage.Apart) string {
	return fmt.Sprintf("Differences between %s and %s (%s)", a.Node, wording.Count(len(a.Peers), "healthy peer"), wording.First(a.Peers, 3))
}

// differenceSays describes one difference: the value here, the value on the peers, and since when.
func differenceSays(d triage.Difference, r *triage.Report) string {
	out := fmt.Sprintf("%s: %s, on healthy peers %s", d.What, d.Here, d.There)
	if d.Since != nil {
		out += "; since " + moment(d.Since, r.TakenAt)
	}
	if d.Explains != "" && !d.Follows {
		out += "; can explain " + d.Explains
	}
	if d.Follows {
		out += "; may be a consequence"
	}
	return out
}

// differences returns the first differences of a node, and how many more there are.
func differences(a triage.Apart, r *triage.Report, most int) (says []string, left int) {
	for _, d := range a.Differences[:min(most, len(a.Differences))] {
		says = append(says, differenceSays(d, r))
	}
	return says, len(a.Differences) - len(says)
}

func (t *text) apart(r *triage.Report) {
	for _, a := range r.Apart {
		most := screenApart
		if t.style.Wide {
			most = len(a.Differences)
		}
		says, left := differences(a, r, most)
		t.section(apartSays(a))
		for _, s := range says {
			t.paragraph(s)
		}
		t.more(left, margin, "difference", "differences")
	}
}

// apartView is the part of a page about one node's differences.
type apartView struct {
	Head string
	List []string
}

func newApartViews(r *triage.Report) []apartView {
	return apply(r.Apart, func(a triage.Apart) apartView {
		says, left := differences(a, r, pageApart)
		if left > 0 {
			says = append(says, fmt.Sprintf("and %d more (-o json has all)", left))
		}
		return apartView{apartSays(a), says}
	})
}
