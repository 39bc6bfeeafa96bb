package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Rules of the Markdown form. It is made to be pasted into a ticket: plain CommonMark without tables or HTML
// of its own, the answer first, commands and evidence as code blocks. Outside text is escaped so that it
// mentions nobody, links nowhere and formats nothing.

// mdEvidence is how many pieces of evidence the Markdown form shows.
const mdEvidence = 6

// Markdown writes the report for a ticket.
func Markdown(w io.Writer, r *triage.Report) error {
	r = cleaned(r)
	m := markdown{}
	title := verdictSays(r)
	if len(r.Findings) > 0 {
		title = r.Findings[0].Title
	}
	m.line("## %s: %s", strings.ToUpper(string(r.Verdict)), mdText(strings.TrimSuffix(title, ".")))
	about := mdText(r.Source)
	if r.TakenAt != nil {
		about += ", as of " + wording.Instant(*r.TakenAt)
	}
	m.line("\n%s", about)
	if says := readInPart(r.ReadInPart); says != "" {
		m.line("\n%s", mdText(says))
	}
	m.faults(r)
	for _, c := range cohorts(r) {
		m.line("\n%s", mdText(cohortSays(c)))
	}
	answered := likelyCause(r)
	if !answered {
		m.standsOut(r)
	}
	if len(r.Findings) > 0 {
		if strings.Count(m.String(), "\n#") > 0 { // something stands between it and the title
			m.line("\n### %s", mdText(strings.TrimSuffix(title, ".")))
		}
		m.finding(r.Findings[0], r)
		m.others(r)
	}
	m.symptoms(r)
	if answered {
		m.standsOut(r)
	}
	m.apart(r)
	m.before(r)
	m.waiting(r)
	m.over(r)
	m.quiet(r)
	m.rest(r)
	if len(r.Knowledge) > 1 {
		m.line("\nKnowledge: %s.", mdText(knowledgeSays(r.Knowledge)))
	}
	_, err := io.WriteString(w, m.String())
	return err
}

type markdown struct{ strings.Builder }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *markdown) finding(f triage.Finding, r *triage.Report) {
	facts := []string{mdCode(f.Cause), string(f.Severity), string(f.Certainty)}
	if who := subjects(f.Subjects, 6); who != "" {
		facts = append(facts, mdText(who))
	}
	if when := lasting(f.Since, f.LastSeen, r.TakenAt); when != "" {
		facts = append(facts, when)
	}
	m.line("\n%s", strings.Join(facts, ", "))
	if f.Summary != f.Title {
		m.line("\n%s.", mdText(strings.TrimSuffix(f.Summary, ".")))
	}
	if who := subjects(f.LikelyOn, 6); who != "" {
		m.line("\nLikely on %s: they failed together, and were not examined one by one.", mdText(who))
	}
	if len(f.Explains) > 0 {
		m.line("\nIt explains %s.", strings.Join(apply(explainsSays(f, r), mdText), ", "))
	}
	all := proofs(f.Evidence)
	for i, p := range all[:min(len(all), mdEvidence)] {
		if i == 0 {
			m.line("\n### Evidence")
		}
		m.line("\n%s", mdText(p.where()))
		m.line("\n%s", strings.TrimSuffix(mdBlock("text", "", p.Text), "\n"))
	}
	m.left(len(all)-mdEvidence, "more piece of evidence", "more pieces of evidence")
	m.actions(f)
}

func (m *markdown) actions(f triage.Finding) {
	if len(f.Confirm) > 0 && f.Certainty != triage.Certain {
		m.line("\n### Confirm")
		for _, c := range f.Confirm {
			m.line("\n- On: %s. If this is the cause: %s\n", mdText(c.Where), mdText(string(c.Expect)))
			m.WriteString(mdBlock("sh", "  ", string(c.Run)))
		}
	}
	if len(f.Remedies) > 0 {
		m.line("\n### What to do, least harmful first")
	}
	for i, x := range f.Remedies {
		m.line("\n%d. %s (%s)", i+1, mdText(x.Title), mdText(riskSays(x)))
		if len(x.Commands) > 0 {
			m.WriteString("\n" + mdBlock("sh", "   ", shell.Strings(x.Commands)...))
		}
	}
	m.list("Caution", shell.Strings(f.Cautions))
	m.list("Verify", shell.Strings(f.Verify))
}

func (m *markdown) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	m.line("\n### %s\n", title)
	for _, item := range items {
		m.line("- %s", mdText(item))
	}
}

func (m *markdown) left(n int, one, many string) {
	if n > 0 {
		m.line("\nand %s", wording.Counted(n, one, many))
	}
}

func (m *markdown) others(r *triage.Report) {
	list := r.Findings[1:]
	if len(list) == 0 {
		return
	}
	m.line("\n### Also found\n")
	for _, f := range list[:min(len(list), htmlFindings)] {
		facts := joined(", ", string(f.Severity), string(f.Certainty), lasting(f.Since, f.LastSeen, r.TakenAt))
		line := fmt.Sprintf("- %s (%s): %s", mdCode(f.Cause), facts, mdText(strings.TrimSuffix(f.Summary, ".")))
		if who := whom(f.Subjects); who != "" {
			line += "; " + mdText(who)
		}
		if f.ExplainedBy != "" {
			line += "; follows from " + mdCode(f.ExplainedBy)
		}
		m.line("%s", line)
		m.proof(best(f.Evidence))
	}
	m.left(len(list)-htmlFindings, "more finding", "more findings")
}

func (m *markdown) symptoms(r *triage.Report) {
	open := openSymptoms(r.Symptoms)
	if len(open) == 0 {
		return
	}
	m.line("\n### Seen, without a cause in this evidence\n")
	for _, s := range open {
		line := fmt.Sprintf("- %s (%s)", mdText(s.Title), mdCode(s.ID))
		if who := subjects(s.subjects, 6); who != "" {
			line += ", " + mdText(who)
		}
		if s.Look != "" {
			line += "; look next at " + mdText(s.Look)
		}
		m.line("%s", line)
		m.proof(best(s.proofs))
		for _, k := range s.Checks {
			m.line("  - %s (on: %s)\n", mdText(string(k.Expect)), mdText(k.Where))
			m.WriteString(mdBlock("sh", "    ", string(k.Run)))
		}
	}
}

func (m *markdown) rest(r *triage.Report) {
	gaps, absent := unseen(r.NotChecked)
	if len(gaps)+len(absent) > 0 {
		m.line("\n### Not checked\n")
		for _, g := range gaps[:min(len(gaps), htmlList)] {
			m.line("- %s", mdText(gapSays(g)))
		}
		if len(absent) > 0 {
			m.line("- %s", mdText(absentSays(absent, len(absent))))
		}
		m.left(len(gaps)-htmlList, "more", "more")
	}
	if groups := excluded(r); len(groups) > 0 {
		m.line("\n### Ruled out\n")
		for _, g := range groups[:min(len(groups), htmlList)] {
			m.line("- %s: %s", mdCode(g.cause), mdText(g.says()))
		}
		m.left(len(groups)-htmlList, "more", "more")
	}
}
