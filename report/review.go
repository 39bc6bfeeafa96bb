package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of the one-screen form of a review, for each weakness.
const (
	reviewSubjects = 4
	reviewCommands = 2
)

// Review writes the risks for node loss, drain and upgrade, for a terminal: the worst first, each with its fix.
func Review(w io.Writer, r *check.Review, style Style) error { return reviewOn.text(w, r, style) }

// ReviewMarkdown writes it for a ticket.
func ReviewMarkdown(w io.Writer, r *check.Review) error { return reviewOn.markdown(w, r) }

// ReviewHTML writes it as one self-contained page.
func ReviewHTML(w io.Writer, r *check.Review, version string) error {
	return reviewOn.html(w, r, version)
}

var reviewOn paged[check.Review] = func(p canvas, r *check.Review) {
	rest := r.Source
	if r.TakenAt != nil {
		rest += ", as of " + wording.Instant(*r.TakenAt)
	}
	p.title(strings.ToUpper(string(r.Verdict)), reviewColor(r), rest)
	if len(r.Passed)+len(r.Weaknesses) > 0 {
		p.note(lookedAt(r))
	}
	if x := r.FirstToExpire; x != nil {
		p.note(fmt.Sprintf("first certificate to expire: %s, %s of %s", wording.Instant(x.Until), x.Certificate, x.Node))
	}
	if remark := reviewRemark(r); remark != "" {
		p.remark(remark)
	}
	if r.Verdict == check.Unknown { // what makes the answer unknown comes first
		checksLeft(p, r)
	}
	for i, x := range r.Weaknesses {
		p.heading(i+1, weaknessTitle(x, p.wide()))
		writeWeakness(p, x)
	}
	if len(r.Passed) > 0 {
		p.section("Passed")
		p.paragraph(strings.Join(r.Passed, ", "))
	}
	if left := reviewLeftOut(r, p.wide()); len(left) > 0 {
		p.section("Left out")
		for _, says := range left {
			p.paragraph(says)
		}
	}
	if r.Verdict != check.Unknown {
		checksLeft(p, r)
	}
}

// checksLeft writes the checks that were not possible, by the missing evidence.
func checksLeft(p canvas, r *check.Review) {
	if len(r.NotChecked) == 0 {
		return
	}
	p.section("Not checked")
	for _, g := range sameGaps(r.NotChecked) {
		if n := len(g.whats); n > 1 {
			g.What = fmt.Sprintf("%d checks (%s)", n, wording.First(g.whats, p.limit(1, min(n, 3))))
		}
		p.paragraph(gapIn(r.Source, g.NotChecked))
	}
}

// weaknessTitle is the title with the number of subjects, and on one screen the names of the first ones: the rest of a weakness
// may not fit there.
func weaknessTitle(x check.Weakness, wide bool) string {
	if wide {
		return x.Title
	}
	short := apply(x.Subjects, func(s evidence.Subject) string {
		if s.Namespace == "" {
			return s.Name
		}
		return s.Namespace + "/" + s.Name
	})
	return fmt.Sprintf("%s (%d): %s", x.Title, len(x.Subjects), wording.First(short, 2))
}

// reviewRemark explains a verdict without findings.
func reviewRemark(r *check.Review) string {
	switch {
	case r.Verdict == check.Unknown && len(r.Passed)+len(r.Weaknesses) == 0:
		return "No check was possible."
	case r.Verdict == check.Unknown:
		return "No serious risk found in the evidence, but the evidence is not sufficient to rule out risks."
	case r.Verdict == check.Clear && len(r.Ignored) > 0:
		return "No other risk found; see the suppressed findings."
	case r.Verdict == check.Clear:
		return "No risk found in the checked evidence."
	}
	return ""
}

func writeWeakness(p canvas, x check.Weakness) {
	if p.wide() {
		p.note(fmt.Sprintf("%s, %s risk if it is not fixed, %s", x.Check, x.Harm, wording.Count(len(x.Subjects), "object")))
		p.labelled("Risk", x.Why)
		writeSubjects(p, x, 0, len(x.Subjects))
		writeFix(p, x)
		return
	}
	// The fix is worth more than the second object, and the page cuts from below. It stands below the object that it changes.
	x = ofCommandFirst(x)
	writeSubjects(p, x, 0, 1)
	writeFix(p, x)
	limit := min(reviewSubjects, len(x.Subjects))
	writeSubjects(p, x, 1, limit)
	p.left(len(x.Subjects)-limit, labels, "object", "objects")
	p.paragraph(string(x.Harm) + " risk (drain, upgrade, node failure); " + string(shell.Format("nodetriage explain {id}", x.Check)))
}

// ofCommandFirst returns a finding with the object that its first command names in front of the others.
func ofCommandFirst(x check.Weakness) check.Weakness {
	if len(x.Commands) == 0 {
		return x
	}
	words := strings.Fields(string(x.Commands[0]))
	at := slices.IndexFunc(x.Subjects, func(s evidence.Subject) bool {
		named := slices.ContainsFunc(words, func(word string) bool { return word == s.Name || strings.HasSuffix(word, "/"+s.Name) })
		return named && (s.Namespace == "" || slices.Contains(words, s.Namespace))
	})
	if at > 0 {
		x.Subjects, x.Details = inFront(x.Subjects, at), inFront(x.Details, at)
	}
	return x
}

// inFront returns a list with one element moved to its start.
func inFront[T any](list []T, at int) []T {
	return append([]T{list[at]}, slices.Delete(slices.Clone(list), at, at+1)...)
}

// writeSubjects writes some of the objects of a finding.
func writeSubjects(p canvas, x check.Weakness, from, to int) {
	for j, on := range x.Subjects[from:to] {
		name := first(j, "On")
		if from > 0 {
			name = first(j, "Also on")
		}
		p.labelled(name, on.String()+": "+x.Details[from+j])
	}
}

// writeFix writes how to fix a finding, and the other ways.
func writeFix(p canvas, x check.Weakness) {
	p.labelled("Fix", x.Fix)
	limit := p.limit(reviewCommands, len(x.Commands))
	for _, c := range x.Commands[:limit] {
		p.command(string(c))
	}
	p.left(len(x.Commands)-limit, belowLabels, "command", "commands")
	for _, w := range x.Or {
		says := w.What
		if w.Harm != "" && !p.wide() {
			says += ". Risk of this fix: " + w.Harm
		}
		p.labelled("or", says)
		for _, c := range w.Commands {
			p.command(string(c))
		}
		if p.wide() {
			p.labelled("Risk", w.Harm)
		}
	}
}

// reviewColor returns the colour of the worst finding.
func reviewColor(r *check.Review) string {
	switch r.Verdict {
	case check.Findings:
		return harmColor(r.Worst())
	case check.Clear:
		return green
	}
	return ""
}

// lookedAt returns how much was checked.
func lookedAt(r *check.Review) string {
	var counts []string
	for _, x := range []struct {
		kind evidence.Kind
		n    int
		noun string
	}{{evidence.Nodes, r.Looked.Nodes, "node"}, {evidence.Pods, r.Looked.Pods, "pod"}, {evidence.PDBs, r.Looked.Budgets, "PodDisruptionBudget"}} {
		if !slices.Contains(r.Looked.Unread, x.kind) {
			counts = append(counts, wording.Count(x.n, x.noun))
		}
	}
	out := "checked " + cmp.Or(wording.List(counts), "what was read")
	if len(r.Looked.Unread) > 0 {
		out += " (not read: " + wording.List(apply(r.Looked.Unread, evidence.Kind.Word)) + ")"
	}
	out += fmt.Sprintf(": %s, %d passed", wording.Count(len(r.Weaknesses), "finding"), len(r.Passed))
	if n := len(r.NotChecked); n > 0 {
		out += fmt.Sprintf(", %d not checked", n)
	}
	return out
}

func harmColor(h check.Harm) string {
	switch h {
	case check.High:
		return red
	case check.Medium:
		return yellow
	}
	return ""
}

// ReviewJUnit writes a review for a pipeline: a case per check, failed if the risk is high, skipped if it is lower or the check
// could not run.
func ReviewJUnit(w io.Writer, r *check.Review) error {
	r = cleaned(r)
	s, coverage := junitSuite{Name: "review"}, junitSuite{Name: "coverage"}
	for _, x := range r.Weaknesses {
		result := &junitResult{Message: x.Title, Type: string(x.Harm), Text: weaknessLines(x)}
		c := junitCase{Name: x.Check, Class: "nodetriage.review", Failure: result}
		if x.Harm != check.High {
			result.Message = string(x.Harm) + " harm: " + x.Title
			c.Failure, c.Skipped = nil, result
		}
		s.Cases = append(s.Cases, c)
	}
	for _, id := range r.Passed {
		s.Cases = append(s.Cases, junitCase{Name: id, Class: "nodetriage.review"})
	}
	for _, n := range r.NotChecked {
		coverage.Cases = append(coverage.Cases, junitCase{Name: n.What, Class: "nodetriage.coverage", Skipped: &junitResult{Message: gapSays(n)}})
	}
	return writeJUnit(w, r.TakenAt, s, coverage)
}

func weaknessLines(x check.Weakness) string {
	var b strings.Builder
	for i, on := range x.Subjects {
		fmt.Fprintf(&b, "%s: %s\n", on, x.Details[i])
	}
	b.WriteString("fix: " + x.Fix)
	for _, c := range x.Commands {
		b.WriteString("\n    " + string(c))
	}
	return b.String()
}
