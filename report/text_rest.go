package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// others are the findings after the first: what each says in a line or two, and its best evidence. Those that begin an
// independent fault are always there.
func (t *text) others(r *triage.Report) {
	t.section("Also found")
	_, faults := independent(r)
	left := 0
	for i, f := range r.Findings[1:] {
		begins := slices.ContainsFunc(faults, func(x fault) bool { return x.finding == i+2 })
		if i >= screenOthers && !begins {
			left++
			continue
		}
		t.other(i+2, f, r)
	}
	t.more(left, margin, "finding", "findings")
}

func (t *text) other(n int, f triage.Finding, r *triage.Report) {
	facts := joined(", ", string(f.Severity), string(f.Certainty), began(f.Since, r.TakenAt), seen(f.Since, f.LastSeen, r.TakenAt))
	proof := t.otherProof(n, best(f.Evidence))
	rest := ""
	if who := whom(f.Subjects); who != "" && !strings.Contains(f.Summary+proof, strings.TrimPrefix(who, "Node ")) {
		rest += "; " + who
	}
	if f.ExplainedBy != "" {
		rest += "; follows from " + numbered(f.ExplainedBy, r)
	}
	t.line("%-2d %s", n, t.twoRows(fmt.Sprintf("%s (%s): ", f.Cause, facts), strings.TrimSuffix(f.Summary, "."), rest))
	if proof != "" {
		t.line("%s  %s", margin, wording.Wrap(proof, t.style.width(), margin+"  "))
	}
}

// numbered is a cause by the number of its finding.
func numbered(cause string, r *triage.Report) string {
	if i := slices.IndexFunc(r.Findings, func(f triage.Finding) bool { return f.Cause == cause }); i >= 0 {
		return fmt.Sprint(i + 1)
	}
	return cause
}

// rowsNext is how many rows the evidence of the findings takes that come next.
const rowsNext = 3

// otherProof is the evidence of a finding after the first. Of those that come next all that was recognised is shown; of
// the others as much as goes into the rows that it needs, two at most.
func (t *text) otherProof(n int, p *proof) string {
	if p == nil {
		return ""
	}
	column := len(margin) + 2
	if n <= screenWhole {
		if says := t.rows(*p, rowsNext, column); strings.Contains(says, p.Hit) {
			return says
		}
		return p.says(rowsNext * (t.style.width() - column))
	}
	says := t.rows(*p, 2, column)
	if one := t.rows(*p, 1, column); p.Hit != "" && strings.Contains(one, p.Hit) || strings.Contains(one, p.Text) {
		return one
	}
	return says
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
		if p := best(s.proofs); p != nil {
			t.line("%s  %s", margin, wording.Wrap(t.rows(*p, 2, len(margin)+2), t.style.width(), margin+"  "))
		}
		if s.Look != "" {
			t.line("%s  %s", margin, wording.Wrap("look next at "+s.Look, t.style.width(), margin+"  "))
		}
		t.looks(s.Checks)
	}
	t.more(len(open)-limit, margin, "symptom", "symptoms")
}

// looks are the commands that tell more: all of them, for who reads this has no answer yet.
func (t *text) looks(list []catalog.Check) {
	for i, k := range list {
		number := fmt.Sprintf("%-4s", fmt.Sprint(i+1, "."))
		t.line("%s  %s%s", margin, number, wording.WrapFrom(string(k.Expect)+" (on: "+k.Where+")", len(margin)+6, t.style.width(), margin+"      "))
		t.line("%s      %s", margin, t.style.paint(bold, string(k.Run)))
	}
}

type openSymptom struct {
	triage.Symptom
	subjects []evidence.Subject
	proofs   []evidence.Ref
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
		byID[s.ID].proofs = append(byID[s.ID].proofs, s.Evidence...)
	}
	return open
}

func (t *text) notChecked(r *triage.Report) {
	gaps, absent := unseen(r.NotChecked)
	if len(gaps)+len(absent) == 0 {
		return
	}
	t.section("Not checked")
	limit := t.limit(gapsShown(r), len(gaps))
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
			t.line("%s  %s", margin, wording.WrapFrom("to see it: "+shorten(string(g.How), screenWay), len(margin)+2, t.style.width(), margin+"    "))
		}
	}
	left := len(gaps) - limit
	if !t.style.Wide && limit > 0 && likelyCause(r) && !lacksImportant(absent) {
		left++
		absent = nil
	}
	t.more(left, margin, "gap", "gaps")
	if len(absent) > 0 {
		t.paragraph(absentSays(absent, t.limit(screenKinds, len(absent))))
	}
}

// gapsShown is how many gaps are worth room: the surer the answer, the fewer.
func gapsShown(r *triage.Report) int {
	switch {
	case !likelyCause(r):
		return screenGaps
	case r.Findings[0].Certainty == triage.Certain:
		return screenGaps - 2
	}
	return screenGaps - 1
}
