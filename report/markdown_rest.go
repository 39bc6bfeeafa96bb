package report

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// shortList is a list under a heading. Only its first entries are shown.
type shortList struct {
	title string
	all   int      // number of entries
	lines []string // the first of them
	keep  int      // what fewer entries give up
}

// forms returns the list with its entries, with fewer, and with how many there are.
func (l shortList) forms() []form {
	if l.all == 0 {
		return nil
	}
	var out []form
	for n := len(l.lines); n > 0; n-- {
		out = append(out, form{l.rows(l.lines[:n]), l.keep})
	}
	return append(out, form{rows: mdRows(func(m *markdown) { m.line("\n%s: %d (-o wide)", mdText(l.title), l.all) })})
}

func (l shortList) rows(lines []string) []string {
	return mdRows(func(m *markdown) {
		m.line("\n### %s (%d)\n", mdText(l.title), l.all)
		for _, line := range lines {
			m.line("- %s", line)
		}
		if left := l.all - len(lines); left > 0 {
			m.line("- and %d more (-o wide)", left)
		}
	})
}

// proven returns the forms with a longer one, in which each entry has its evidence.
func (l shortList) proven(evidence []*proof) []form {
	if l.all == 0 {
		return nil
	}
	var with []string
	for i, line := range l.lines {
		if p := evidence[i]; p != nil {
			line += "\n  " + mdCode(p.says(mdProof))
		}
		with = append(with, line)
	}
	return append([]form{{l.rows(with), keepProofs}}, l.forms()...)
}

// listOf returns a list of texts.
func listOf(title string, texts []string, most, keep int) shortList {
	return shortList{title, len(texts), apply(texts[:min(len(texts), most)], mdText), keep}
}

// others writes one line for each finding after the first.
func (t *reportTicket) others() {
	all := t.r.Findings[1:]
	shown := all[:min(len(all), mdOthers)]
	l := shortList{otherFindings, len(all), apply(shown, t.other), keepTitles}
	t.add(l.proven(apply(shown, func(f triage.Finding) *proof { return best(f.Evidence) }))...)
}

func (t *reportTicket) other(f triage.Finding) string {
	facts := joined(", ", string(f.Severity), string(f.Certainty), began(f.Since, t.r.TakenAt), seen(f.Since, f.LastSeen, t.r.TakenAt))
	line := fmt.Sprintf("%s (%s): %s", mdCode(f.Cause), facts, mdText(strings.TrimSuffix(f.Summary, ".")))
	if who := whom(hurt(t.r.Report, &f)); who != "" {
		line += "; " + mdText(who)
	}
	if f.ExplainedBy != "" {
		return line + "; caused by " + mdCode(f.ExplainedBy)
	}
	return line + "; next: " + mdCode(Style{}.nextCommand(&f))
}

// symptoms writes the symptoms without a known cause. If there is no finding, the first one has the checks that find its cause.
func (t *reportTicket) symptoms() {
	open := t.r.symptoms
	if len(open) > 0 && len(t.r.Findings) == 0 {
		t.symptom(open[0])
		open = open[1:]
	}
	shown := open[:min(len(open), mdList)]
	l := shortList{symptomsAlone, len(open), apply(shown, symptomLine), keepTitles}
	t.add(l.proven(apply(shown, func(s *openSymptom) *proof { return best(s.proofs) }))...)
}

func symptomLine(s *openSymptom) string {
	line := fmt.Sprintf("%s (%s)", mdText(s.Title), mdCode(s.ID))
	if who := subjects(s.subjects, 6); who != "" {
		line += ", " + mdText(who)
	}
	if s.Look != "" {
		line += "; next: check " + mdText(s.Look)
	}
	return line
}

// symptom writes a symptom with its evidence and its checks.
func (t *reportTicket) symptom(s *openSymptom) {
	t.add(form{rows: mdRows(func(m *markdown) {
		m.line("\n### Symptom without a known cause\n\n%s", symptomLine(s))
		if p := best(s.proofs); p != nil {
			m.block("text", p.says(mdProof))
		}
	})})
	for i, k := range s.Checks {
		keep := keepNext
		if i == 0 {
			keep = keepCommands
		}
		t.add(form{mdRows(func(m *markdown) { m.step(i+1, k) }), keep}, form{})
	}
}

func (m *markdown) step(n int, k catalog.Check) {
	m.line("\n%d. %s\n", n, mdText(joined("; ", on(k.Where), string(k.Expect))))
	m.WriteString(mdBlock("sh", "   ", string(k.Run)))
}

// standsOut writes the most significant lines if no cause is likely.
func (t *reportTicket) standsOut() {
	for i, l := range t.r.StandsOut[:min(len(t.r.StandsOut), mdList)] {
		rows := mdRows(func(m *markdown) {
			if i == 0 {
				m.line("\n### %s", relevantLines)
			}
			m.line("\n%s", mdText(whose(l, t.r.Report)))
			m.block("text", excerpt(l.Text, "", mdProof))
		})
		switch {
		case i == 0 && len(t.r.Findings) == 0:
			t.add(form{rows: rows})
		case i == 0:
			t.add(form{rows, keepSecond}, form{})
		default:
			t.add(form{rows, keepThird}, form{})
		}
	}
}

// around writes what surrounds the faults: what failed nodes share, how they differ from healthy ones, what changed before, and
// which pods are pending.
func (t *reportTicket) around() {
	for _, says := range t.r.cohorts {
		t.add(form{mdRows(func(m *markdown) { m.line("\n%s", mdText(says)) }), keepTitles}, form{})
	}
	for _, a := range t.r.Apart {
		says, _ := differences(a, t.r.Report, len(a.Differences))
		t.add(listOf(apartSays(a), says, pageApart, keepChanges).forms()...)
	}
	t.add(listOf(changedBefore, t.r.before, mdList, keepChanges).forms()...)
	pending := shortList{"Pending pods", len(t.r.Waiting), nil, keepNext}
	for i, says := range t.r.waiting[:min(len(t.r.waiting), mdList)] {
		pending.lines = append(pending.lines, mdText(says)+": "+mdCode(string(t.r.Waiting[i].How)))
	}
	t.add(pending.forms()...)
}

// tail writes one line each for what was hidden, resolved problems, ruled-out causes and gaps, and how to read on.
func (t *reportTicket) tail() {
	r := t.r
	t.add(listOf(hidden, quietList(r.Report, false), mdList, keepTitles).forms()...)
	t.over()
	ruledOut := excludedCauses(r.ruledOut)
	t.counted("Ruled out", len(ruledOut), wording.First(ruledOut, 8))
	says := apply(r.gaps, gapSays)
	if len(r.absent) > 0 {
		says = append(says, absentSays(r.absent, screenKinds))
	}
	keep := keepGaps
	if len(r.Findings) == 0 { // what is missing is the best hint then
		keep = keepTitles
	}
	t.add(listOf("Not checked", says, mdList, keep).forms()...)
	if len(r.Knowledge) > 1 {
		t.add(form{rows: mdRows(func(m *markdown) { m.line("\nKnowledge: %s.", mdText(knowledgeSays(r.Knowledge))) })})
	}
	end := "Everything: `-o wide`"
	if len(r.Findings) > 0 {
		end += ". About the cause: " + mdCode(t.page(&r.Findings[0]))
	}
	t.add(form{rows: []string{"", end}})
}

// over writes the resolved problems with what ended each, or their names.
func (t *reportTicket) over() {
	all := t.r.resolved
	if len(all) == 0 {
		return
	}
	says := apply(all, func(e *ended) string { return strings.TrimSuffix(e.Title, ".") + " " + e.says(t.r.TakenAt) })
	l := listOf("Resolved", says, mdList, keepNames)
	names := fmt.Sprintf("Resolved (%d): %s", len(all), mdText(resolvedLine(all, t.r.TakenAt)))
	t.add(form{l.rows(l.lines), keepNames}, form{[]string{"", names}, keepNames}, form{[]string{"", fmt.Sprintf("Resolved: %d", len(all))}, keepCounts}, form{})
}

// counted writes the names of a list in one line, or how many there are.
func (t *reportTicket) counted(name string, n int, names string) {
	if n == 0 {
		return
	}
	t.add(form{[]string{"", fmt.Sprintf("%s (%d): %s", name, n, mdText(names))}, keepNames}, form{[]string{"", fmt.Sprintf("%s: %d", name, n)}, keepCounts}, form{})
}
