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

// others writes the findings after the first: a line or two for each, and its best evidence. It always includes findings that
// begin an independent fault.
func (t *text) others(d *diagnosis) {
	t.section(otherFindings)
	left := 0
	for i, f := range d.Findings[1:] {
		if i >= screenOthers && !d.beginsFault(i+2) {
			left++
			continue
		}
		t.other(i+2, f, d.Report)
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
		rest += "; caused by " + numbered(f.ExplainedBy, r)
	}
	t.line("%-2d %s", n, t.twoRows(fmt.Sprintf("%s (%s): ", f.Cause, facts), strings.TrimSuffix(f.Summary, "."), rest))
	if proof != "" {
		t.line("%s  %s", margin, wording.Wrap(proof, t.style.width(), margin+"  "))
	}
}

// numbered returns a cause with the number of its finding.
func numbered(cause string, r *triage.Report) string {
	if i := slices.IndexFunc(r.Findings, func(f triage.Finding) bool { return f.Cause == cause }); i >= 0 {
		return fmt.Sprint(i + 1)
	}
	return cause
}

// rowsNext is the number of rows of evidence for each of the next findings.
const rowsNext = 3

// otherProof returns the evidence of a finding after the first. For the next findings it contains the whole hit. For the others
// it contains what fits into at most two rows.
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

// symptoms writes those that no finding explains, with the next checks.
func (t *text) symptoms(open []*openSymptom) {
	if len(open) == 0 {
		return
	}
	t.section(symptomsAlone)
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
			t.line("%s  %s", margin, wording.Wrap("Next: check "+s.Look, t.style.width(), margin+"  "))
		}
		t.looks(s.Checks)
	}
	t.more(len(open)-limit, margin, "symptom", "symptoms")
}

// looks writes all commands that show more evidence, because there is no answer yet.
func (t *text) looks(list []catalog.Check) {
	for i, k := range list {
		number := fmt.Sprintf("%-4s", fmt.Sprint(i+1, "."))
		t.line("%s  %s%s", margin, number, wording.WrapFrom(joined("; ", on(k.Where), string(k.Expect)), len(margin)+6, t.style.width(), margin+"      "))
		t.line("%s      %s", margin, t.style.paint(bold, string(k.Run)))
	}
}

type openSymptom struct {
	triage.Symptom
	subjects []evidence.Subject
	proofs   []evidence.Ref
}

// openSymptoms joins unexplained symptoms of one kind.
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

func (t *text) notChecked(d *diagnosis) {
	gaps, absent := d.gaps, d.absent
	if len(gaps)+len(absent) == 0 {
		return
	}
	t.section("Not checked")
	limit := t.limit(d.gapsShown(), len(gaps))
	room := t.style.width() - len(margin)
	if len(d.Findings) == 0 { // what is missing is the best hint then
		room += room - len(margin) - 10
	}
	for _, g := range gaps[:limit] {
		if t.style.Wide {
			t.paragraph(gapSays(g))
			continue
		}
		// The gap in short, and how to close it. A command that is cut is useless.
		t.paragraph(shorten(g.What+": "+g.Why, room))
		if g.How != "" {
			t.line("%s  %s", margin, wording.WrapFrom("To check: "+shorten(string(g.How), screenWay), len(margin)+2, t.style.width(), margin+"    "))
		}
	}
	left := len(gaps) - limit
	if !t.style.Wide && limit > 0 && d.answered && !lacksImportant(absent) {
		left++
		absent = nil
	}
	t.more(left, margin, "gap", "gaps")
	if len(absent) > 0 {
		t.paragraph(absentSays(absent, t.limit(screenKinds, len(absent))))
	}
}

// gapsShown returns how many gaps to show: the more certain the answer, the fewer.
func (d *diagnosis) gapsShown() int {
	switch {
	case !d.answered:
		return screenGaps
	case d.Findings[0].Certainty == triage.Certain:
		return screenGaps - 2
	}
	return screenGaps - 1
}
