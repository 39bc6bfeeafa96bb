package report

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// finding writes all details of one cause: subject, evidence, remedy, verification.
func (t *text) finding(n int, f triage.Finding, r *triage.Report) {
	t.line("")
	t.line("%-2d %s", n, t.style.paint(bold, wording.Wrap(f.Title, t.style.width(), margin)))
	about := []string{f.Cause, t.style.severity(f.Severity), string(f.Certainty)}
	if who := subjects(f.Subjects, 3); who != "" {
		about = append(about, who)
	}
	if when := lasting(f.Since, f.LastSeen, r.TakenAt); when != "" {
		about = append(about, when)
	}
	t.line("%s%s", margin, wording.Wrap(strings.Join(about, ", "), t.style.width(), margin))
	if !strings.EqualFold(strings.TrimSuffix(f.Title, "."), f.Summary) {
		t.labelled("Summary", f.Summary)
	}
	if who := subjects(f.LikelyOn, 3); who != "" {
		t.labelled("Likely on", who+" (failed at the same time, not examined)")
	}
	t.evidence(f.Evidence)
	if len(f.Explains) > 0 {
		t.labelled("Effects", wording.First(explainsSays(f, r), t.limit(screenExplains, len(f.Explains))))
	}
	if f.ExplainedBy != "" {
		t.labelled("Caused by", f.ExplainedBy)
	}
	if f.Certainty != triage.Certain || t.style.Wide {
		t.confirm(f.Confirm)
	}
	t.remedies(f.Remedies)
	t.list("Caution", shell.Strings(f.Cautions), screenCautions)
	t.list("Verify", shell.Strings(f.Verify), screenCautions)
	t.labelled("More", string(shell.Format("nodetriage explain {id}", f.Cause)))
}

// explainsSays names the effects of a finding. It lists symptoms first, with their subjects, because it may be the only part of
// a report that names a node.
func explainsSays(f triage.Finding, r *triage.Report) []string {
	seen := map[string][]evidence.Subject{}
	for _, s := range r.Symptoms {
		seen[s.ID] = append(seen[s.ID], s.Subject)
	}
	var symptoms, causes []string
	for _, id := range f.Explains {
		switch who := whom(seen[id]); {
		case seen[id] == nil:
			causes = append(causes, id)
		case who != "":
			symptoms = append(symptoms, id+" ("+strings.TrimPrefix(who, "Node ")+")")
		default:
			symptoms = append(symptoms, id)
		}
	}
	return append(symptoms, causes...)
}

func (t *text) evidence(refs []evidence.Ref) {
	list := proofs(refs)
	limit := t.limit(screenEvidence, len(list))
	if at := recognised(list); at >= limit { // it deserves one of the visible places
		list[limit-1], list[at] = list[at], list[limit-1]
	}
	for i, p := range list[:limit] {
		t.labelled(first(i, "Evidence"), p.says(t.excerpt(i, limit)))
	}
	t.more(len(list)-limit, indented(), "piece of evidence", "pieces of evidence")
}

// rows returns a proof in at most this number of rows that begin at the column.
func (t *text) rows(p proof, rows, column int) string {
	if t.style.Wide {
		return p.says(longest)
	}
	width := t.style.width() - column
	for n := rows * width; n > width; n -= 4 { // words that do not fit at the end of a row need space too
		if says := p.brief(n); strings.Count(wording.Wrap(says, width, ""), "\n") < rows {
			return says
		}
	}
	return p.brief(width)
}

// rowsBest is the maximum number of rows of the first piece of evidence, because the answer depends on it.
const rowsBest = 8

// excerpt returns how many characters of piece i of n are shown: three lines, more if there are few pieces, and most of the
// first.
func (t *text) excerpt(i, n int) int {
	if t.style.Wide {
		return longest
	}
	rows := max(3, 6-n)
	if i == 0 {
		rows = rowsBest
	}
	return rows * (t.style.width() - label - len(margin))
}

func (t *text) confirm(list []catalog.Check) {
	limit := t.limit(screenConfirm, len(list))
	for i, c := range list[:limit] {
		t.labelled(first(i, "Check"), joined(" ", "run", on(c.Where))+":")
		t.command(string(c.Run))
		t.labelled("", confirms(c))
	}
}

func (t *text) remedies(list []catalog.Remedy) {
	limit := t.limit(screenRemedies, len(list))
	for i, r := range list[:limit] {
		t.labelled(first(i, "Fix"), fmt.Sprintf("%d. %s (%s)", i+1, r.Title, riskSays(r)))
		commands := atPlaces(&r, r.Commands)
		cut := t.limit(screenCommands, len(commands))
		for _, c := range commands[:cut] {
			t.command(string(c))
		}
		t.more(len(commands)-cut, indented()+margin, "command", "commands")
	}
	t.more(len(list)-limit, indented(), "fix", "fixes")
}

// expects returns the result of a check that confirms a cause, and what another result means.
func expects(c catalog.Check) string {
	out := confirms(c)
	if len(shell.Sentences(out)) > 1 { // it says already what the results mean
		return out
	}
	return out + ". Otherwise it is probably another cause"
}

// expected begins the result of a check.
const expected = "Expect: "

// confirms returns the result of a check that confirms a cause.
func confirms(c catalog.Check) string { return expected + strings.TrimSuffix(string(c.Expect), ".") }

// riskSays returns the risk of a remedy, what happens to running pods, and where it runs.
func riskSays(r catalog.Remedy) string {
	effect := "does not stop workload pods"
	if r.Disruptive {
		effect = "disrupts pods"
	}
	where := ""
	if at := heading(&r, r.Commands); at != "" {
		where = "run " + at
	}
	return joined("; ", "risk: "+r.Risk, effect, where)
}

func (t *text) list(name string, items []string, few int) {
	limit := t.limit(few, len(items))
	for i, item := range items[:limit] {
		t.labelled(first(i, name), item)
	}
	t.more(len(items)-limit, indented(), "line", "lines")
}

// first returns the label of a list's first line.
func first(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}
