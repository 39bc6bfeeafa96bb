package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// others are the findings after the first, a line or two each.
func (t *text) others(list []triage.Finding) {
	t.section("Also found")
	limit := t.limit(screenOthers, len(list))
	for i, f := range list[:limit] {
		body := fmt.Sprintf("%s (%s, %s): %s", f.Cause, f.Severity, f.Confidence, strings.TrimSuffix(f.Summary, "."))
		if who := whom(f.Subjects); who != "" && !strings.Contains(f.Summary, strings.TrimPrefix(who, "Node ")) {
			body += "; " + who
		}
		if f.ExplainedBy != "" {
			body += "; follows from " + f.ExplainedBy
		}
		t.line("%-2d %s", i+2, wrap(shorten(body, 2*t.style.width()-8), t.style.width(), margin+"  "))
	}
	t.more(len(list)-limit, margin, "finding", "findings")
}

// symptoms are those that nothing here explains, with what to look at next.
func (t *text) symptoms(list []triage.Symptom) {
	open := openSymptoms(list)
	if len(open) == 0 {
		return
	}
	t.section("Seen, without a cause in this evidence")
	limit := t.limit(screenSymptoms, len(open))
	for _, s := range open[:limit] {
		body := s.Title + " (" + s.ID + ")"
		if who := subjects(s.subjects, 3); who != "" {
			body += ", " + who
		}
		t.paragraph(body)
		if s.Look != "" {
			t.line("%s  %s", margin, wrap("look next at "+s.Look, t.style.width(), margin+"  "))
		}
	}
	t.more(len(open)-limit, margin, "symptom", "symptoms")
}

type openSymptom struct {
	triage.Symptom
	subjects []evidence.Subject
}

// openSymptoms joins the symptoms of one kind that nothing explains.
func openSymptoms(list []triage.Symptom) []*openSymptom {
	var open []*openSymptom
	byID := map[string]*openSymptom{}
	for _, s := range list {
		if s.ExplainedBy != "" {
			continue
		}
		if byID[s.ID] == nil {
			byID[s.ID] = &openSymptom{Symptom: s}
			open = append(open, byID[s.ID])
		}
		byID[s.ID].subjects = append(byID[s.ID].subjects, s.Subject)
	}
	return open
}

func (t *text) ruledOut(list []triage.RuledOut) {
	groups := excluded(list)
	if len(groups) == 0 {
		return
	}
	if !t.style.Wide {
		causes := slices.Compact(apply(groups, func(g exclusion) string { return g.cause }))
		t.line("\n%s %s", t.style.paint(bold, "Ruled out"), wrapFrom(few(causes, 8), 10, t.style.width(), margin))
		return
	}
	t.section("Ruled out")
	for _, g := range groups {
		t.paragraph(g.cause + ": " + g.says())
	}
}

// exclusion is a cause that was ruled out for one reason, and for whom.
type exclusion struct {
	cause, because string
	subjects       []evidence.Subject
}

func (e exclusion) says() string {
	if who := subjects(e.subjects, 3); who != "" {
		return e.because + " (" + who + ")"
	}
	return e.because
}

// excluded joins what was ruled out by cause and reason: in a large cluster each node gives one.
func excluded(list []triage.RuledOut) []exclusion {
	var out []exclusion
	at := map[[2]string]int{}
	for _, r := range list {
		key := [2]string{r.Cause, r.Because}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, exclusion{cause: r.Cause, because: r.Because})
		}
		out[i].subjects = append(out[i].subjects, r.Subject)
	}
	return out
}

func (t *text) notChecked(r *triage.Report) {
	gaps, absent := unseen(r.NotChecked)
	if len(gaps)+len(absent) == 0 {
		return
	}
	t.section("Not checked")
	limit := t.limit(screenGaps, len(gaps))
	room := t.style.width() - len(margin)
	if len(r.Findings) == 0 { // what is missing is then the best clue
		room += room - len(margin) - 10
	}
	for _, g := range gaps[:limit] {
		if t.style.Wide {
			t.paragraph(gapSays(g))
			continue
		}
		// What is missing, shortly, and how to get it: a way that is cut off leads nowhere.
		t.paragraph(shorten(g.What+": "+g.Why, room))
		if g.How != "" {
			t.line("%s  %s", margin, wrapFrom("to see it: "+shorten(g.How, screenWay), len(margin)+2, t.style.width(), margin+"    "))
		}
	}
	t.more(len(gaps)-limit, margin, "gap", "gaps")
	if len(absent) > 0 {
		t.paragraph(absentSays(absent, t.limit(screenKinds, len(absent))))
	}
}
