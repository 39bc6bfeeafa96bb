package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// How much the one-screen form shows.
const (
	screenEvidence = 4
	screenRemedies = 2
	screenCommands = 4
	screenCautions = 2
	screenOthers   = 8
	screenLines    = 5
	margin         = "  "
	label          = 10 // columns of a label
)

// Text writes the terminal form.
func Text(w io.Writer, r *triage.Report, style Style) error {
	t := text{style: style}
	t.head(r)
	t.cohorts(r.Cohorts)
	for i, f := range r.Findings {
		if i > 0 && !style.Wide {
			t.others(r.Findings[1:])
			break
		}
		t.finding(i+1, f, r)
	}
	t.symptoms(r)
	t.ruledOut(r.RuledOut)
	t.notChecked(r.NotChecked)
	_, err := io.WriteString(w, t.String())
	return err
}

type text struct {
	strings.Builder
	style Style
}

func (t *text) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// labelled writes a paragraph whose first line starts with a label.
func (t *text) labelled(name, body string) {
	indent := margin + strings.Repeat(" ", label)
	t.line("%s%s%s", margin, t.style.paint(dim, fmt.Sprintf("%-*s", label, name)), wrap(Clean(body), t.style.width(), indent))
}

func (t *text) head(r *triage.Report) {
	parts := []string{t.style.verdict(r.Verdict), Clean(r.Source)}
	if r.TakenAt != nil {
		parts = append(parts, "as of "+r.TakenAt.UTC().Format("2006-01-02 15:04:05Z"))
	}
	t.line("%s", strings.Join(parts, "  "))
	if len(r.Findings) > 0 {
		return
	}
	switch r.Verdict {
	case triage.Healthy:
		t.line("\nNothing is broken in what was looked at.")
	case triage.Unclear:
		t.line("\nNot enough to tell: nothing in the evidence names a cause. See below what would.")
	default:
		t.line("\nSomething is wrong, but nothing in the evidence names the cause. See below what would.")
	}
}

func (t *text) cohorts(list []triage.Cohort) {
	for _, c := range list {
		var shared []string
		for _, k := range sortedKeys(c.Shared) {
			shared = append(shared, k+" "+c.Shared[k])
		}
		t.line("")
		t.line("%s", wrap(Clean(fmt.Sprintf("%d nodes fail together (%s); healthy nodes do not share: %s",
			len(c.Nodes), few(c.Nodes, 3), strings.Join(shared, ", "))), t.style.width(), margin))
	}
}

func (t *text) finding(n int, f triage.Finding, r *triage.Report) {
	t.line("")
	head := fmt.Sprintf("%d  %s", n, t.style.paint(bold, Clean(f.Title)))
	t.line("%s", head)
	meta := []string{f.Cause, t.style.severity(f.Severity), string(f.Confidence)}
	if s := subjects(f.Subjects); s != "" {
		meta = append(meta, s)
	}
	if f.Since != nil {
		meta = append(meta, "since "+f.Since.UTC().Format("2006-01-02 15:04:05Z")+lasting(f.Since, r.TakenAt))
	}
	t.line("%s%s", margin, strings.Join(meta, ", "))
	if !strings.EqualFold(strings.TrimSuffix(f.Title, "."), f.Summary) {
		t.labelled("Summary", f.Summary)
	}
	t.evidence(f.Evidence)
	if len(f.Explains) > 0 {
		t.labelled("Explains", strings.Join(f.Explains, ", "))
	}
	if f.ExplainedBy != "" {
		t.labelled("Follows", "from "+f.ExplainedBy)
	}
	t.remedies(f.Remedies)
	t.list("Caution", f.Cautions, screenCautions)
	t.list("Verify", f.Verify, screenCautions)
	t.labelled("More", "nodetriage explain "+f.Cause)
}

func (t *text) evidence(refs []evidence.Ref) {
	limit := t.limit(screenEvidence, len(refs))
	for i, ref := range refs[:limit] {
		name := ""
		if i == 0 {
			name = "Evidence"
		}
		where := strings.TrimSpace(ref.Source + " " + ref.Locator)
		body := where + ": " + ref.Text
		if !t.style.Wide {
			body = shorten(Clean(body), 3*(t.style.width()-label-len(margin)))
		}
		t.labelled(name, body)
	}
	t.more(len(refs)-limit, "pieces of evidence")
}

func (t *text) remedies(list []catalog.Remedy) {
	limit := t.limit(screenRemedies, len(list))
	for i, r := range list[:limit] {
		name := ""
		if i == 0 {
			name = "Do"
		}
		effect := "pods keep running"
		if r.Disruptive {
			effect = "disrupts pods"
		}
		t.labelled(name, fmt.Sprintf("%d. %s (risk %s, %s)", i+1, r.Title, r.Risk, effect))
		cut := t.limit(screenCommands, len(r.Commands))
		for _, c := range r.Commands[:cut] {
			t.line("%s%s   %s", margin, strings.Repeat(" ", label), t.style.paint(bold, Clean(c)))
		}
		t.more(len(r.Commands)-cut, "commands")
	}
	t.more(len(list)-limit, "remedies")
}

func (t *text) list(name string, items []string, screen int) {
	limit := t.limit(screen, len(items))
	for i, item := range items[:limit] {
		if i > 0 {
			name = ""
		}
		t.labelled(name, item)
	}
}

// others are the findings after the first, a line each.
func (t *text) others(list []triage.Finding) {
	t.line("\n%s", t.style.paint(bold, "Also found"))
	limit := t.limit(screenOthers, len(list))
	for i, f := range list[:limit] {
		body := fmt.Sprintf("%s (%s, %s): %s", f.Cause, f.Severity, f.Confidence, f.Summary)
		if f.ExplainedBy != "" {
			body += "; follows from " + f.ExplainedBy
		}
		t.line("%d  %s", i+2, wrap(shorten(Clean(body), 2*t.style.width()), t.style.width(), "   "))
	}
	t.more(len(list)-limit, "findings")
}

func (t *text) symptoms(r *triage.Report) {
	var open []string
	seen := map[string]int{}
	look := map[string]string{}
	for _, s := range r.Symptoms {
		if s.ExplainedBy == "" {
			if seen[s.ID]++; seen[s.ID] == 1 {
				open = append(open, s.ID)
				look[s.ID] = s.Look
			}
		}
	}
	if len(open) == 0 {
		return
	}
	t.line("\n%s", t.style.paint(bold, "Seen, without a cause in this evidence"))
	limit := t.limit(screenLines, len(open))
	for _, id := range open[:limit] {
		body := id
		if who := symptomSubjects(r, id); who != "" {
			body += " on " + who
		}
		if look[id] != "" {
			body += "; look at " + look[id]
		}
		t.line("%s%s", margin, wrap(Clean(body), t.style.width(), margin+margin))
	}
	t.more(len(open)-limit, "symptoms")
}

func symptomSubjects(r *triage.Report, id string) string {
	var list []evidence.Subject
	for _, s := range r.Symptoms {
		if s.ID == id && s.ExplainedBy == "" {
			list = append(list, s.Subject)
		}
	}
	return subjects(list)
}

func (t *text) ruledOut(list []triage.RuledOut) {
	if len(list) == 0 {
		return
	}
	if !t.style.Wide {
		var causes []string
		seen := map[string]bool{}
		for _, r := range list {
			if !seen[r.Cause] {
				seen[r.Cause] = true
				causes = append(causes, r.Cause)
			}
		}
		t.line("\n%s %s", t.style.paint(bold, "Ruled out"), wrap(Clean(few(causes, 8)), t.style.width(), margin))
		return
	}
	t.line("\n%s", t.style.paint(bold, "Ruled out"))
	for _, r := range list {
		t.line("%s%s", margin, wrap(Clean(fmt.Sprintf("%s on %s: %s", r.Cause, r.Subject, r.Because)), t.style.width(), margin+margin))
	}
}

func (t *text) notChecked(list []triage.NotChecked) {
	if len(list) == 0 {
		return
	}
	t.line("\n%s", t.style.paint(bold, "Not checked"))
	limit := t.limit(screenLines, len(list))
	for _, n := range list[:limit] {
		body := n.What + ": " + n.Why
		if n.How != "" {
			body += "; to see it: " + n.How
		}
		if !t.style.Wide {
			body = shorten(Clean(body), 2*t.style.width())
		}
		t.line("%s%s", margin, wrap(Clean(body), t.style.width(), margin+margin))
	}
	t.more(len(list)-limit, "things")
}

func (t *text) limit(screen, all int) int {
	if t.style.Wide {
		return all
	}
	return min(screen, all)
}

func (t *text) more(n int, what string) {
	if n > 0 {
		t.line("%s%s", margin, t.style.paint(dim, fmt.Sprintf("and %d more %s (-o wide)", n, what)))
	}
}

// subjects names up to three subjects; those that the evidence does not name are left out.
func subjects(list []evidence.Subject) string {
	var names []string
	for _, s := range list {
		if !s.IsZero() {
			names = append(names, s.String())
		}
	}
	return Clean(few(names, 3))
}

func few(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n)
}

func lasting(since, now *time.Time) string {
	if now == nil || now.Before(*since) {
		return ""
	}
	return " (" + now.Sub(*since).Round(time.Second).String() + ")"
}
